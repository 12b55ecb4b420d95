// Explicit Runge-Kutta solvers for the native peers: DOPRI5 and DOP853 after Hairer, Norsett, Wanner (own code; controllers and
// initial step as published). Rk<N>: N equations known at compile time, Rk<0>: at run time. No allocation after construction.
// Provenance: written for this benchmark set, independent of the Rust code. Coefficients of DOP853: dop853_coef.hpp.
#pragma once
#include "dop853_coef.hpp"
#include <algorithm>
#include <cmath>
#include <vector>

template <int N> struct Rk {
  int dyn;
  std::vector<double> store;
  double *k[13], *w, *yn;
  long evaluations = 0, accepted = 0, rejected = 0;
  explicit Rk(int n = N) : dyn(n), store(size_t(n) * 15) {
    for (int s = 0; s < 13; s++) k[s] = &store[size_t(n) * s];
    w = &store[size_t(n) * 13]; yn = &store[size_t(n) * 14];
  }
  inline int n() const { return N ? N : dyn; }

  template <class F> double first_step(F &f, double t, const double *y, double end, double rtol, double atol, int order) {
    double d0 = 0, d1 = 0, d2 = 0;
    for (int i = 0; i < n(); i++) { double s = atol + rtol * std::fabs(y[i]); d0 += (y[i] / s) * (y[i] / s); d1 += (k[0][i] / s) * (k[0][i] / s); }
    double h = d0 <= 1e-10 || d1 <= 1e-10 ? 1e-6 : 0.01 * std::sqrt(d0 / d1);
    h = std::min(h, end - t);
    for (int i = 0; i < n(); i++) w[i] = y[i] + h * k[0][i];
    f(t + h, w, k[1]); evaluations++;
    for (int i = 0; i < n(); i++) { double s = atol + rtol * std::fabs(y[i]), e = (k[1][i] - k[0][i]) / s; d2 += e * e; }
    d2 = std::sqrt(d2) / h; d1 = std::max(std::sqrt(d1), d2);
    double h1 = d1 <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / d1, 1.0 / order);
    return std::min({100 * h, h1, end - t});
  }

  template <class F> void dopri5(F &f, double t, double end, double *y, double rtol, double atol) {
    constexpr double A[7][6] = {{}, {1. / 5}, {3. / 40, 9. / 40}, {44. / 45, -56. / 15, 32. / 9}, {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
      {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}, {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
    constexpr double C[7] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
    constexpr double E[7] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
    f(t, y, k[0]); evaluations++;
    double h = first_step(f, t, y, end, rtol, atol, 5), old = 1e-4; bool reject = false;
    while (t < end) {
      bool last = t + 1.01 * h >= end; if (last) h = end - t;
      stage<1>(f, A[1], C[1], t, y, h); stage<2>(f, A[2], C[2], t, y, h); stage<3>(f, A[3], C[3], t, y, h); stage<4>(f, A[4], C[4], t, y, h); stage<5>(f, A[5], C[5], t, y, h);
      for (int i = 0; i < n(); i++) { yn[i] = y[i] + h * (A[6][0] * k[0][i] + A[6][2] * k[2][i] + A[6][3] * k[3][i] + A[6][4] * k[4][i] + A[6][5] * k[5][i]); }
      f(t + h, yn, k[6]); evaluations++;
      double err = 0;
      for (int i = 0; i < n(); i++) {
        double e = h * (E[0] * k[0][i] + E[2] * k[2][i] + E[3] * k[3][i] + E[4] * k[4][i] + E[5] * k[5][i] + E[6] * k[6][i]);
        e /= atol + rtol * std::max(std::fabs(y[i]), std::fabs(yn[i])); err += e * e;
      }
      err = std::sqrt(err / n());
      double f11 = std::pow(err, 0.2 - 0.04 * 0.75), fac = std::max(0.1, std::min(5.0, f11 / std::pow(old, 0.04) / 0.9)), hn = h / fac;
      if (err <= 1) {
        old = std::max(err, 1e-4); accepted++; t = last ? end : t + h;
        for (int i = 0; i < n(); i++) { y[i] = yn[i]; }
        std::swap(k[0], k[6]);
        if (reject) hn = std::min(hn, h);
        reject = false;
      } else { hn = h / std::min(5.0, f11 / 0.9); reject = true; rejected++; }
      h = hn;
    }
  }

  template <class F> void dop853(F &f, double t, double end, double *y, double rtol, double atol) {
    f(t, y, k[0]); evaluations++;
    double h = first_step(f, t, y, end, rtol, atol, 8); bool reject = false;
    while (t < end) {
      bool last = t + 1.01 * h >= end; if (last) h = end - t;
      stage<1>(f, DA[1], DC[1], t, y, h); stage<2>(f, DA[2], DC[2], t, y, h); stage<3>(f, DA[3], DC[3], t, y, h); stage<4>(f, DA[4], DC[4], t, y, h);
      stage<5>(f, DA[5], DC[5], t, y, h); stage<6>(f, DA[6], DC[6], t, y, h); stage<7>(f, DA[7], DC[7], t, y, h); stage<8>(f, DA[8], DC[8], t, y, h);
      stage<9>(f, DA[9], DC[9], t, y, h); stage<10>(f, DA[10], DC[10], t, y, h); stage<11>(f, DA[11], DC[11], t, y, h);
      double e5 = 0, e3 = 0;
      for (int i = 0; i < n(); i++) {
        double s = 0, a = 0, b = 0;
        for (int j = 0; j < 12; j++) { if (DB[j] != 0) s += DB[j] * k[j][i]; if (E5[j] != 0) a += E5[j] * k[j][i]; if (E3[j] != 0) b += E3[j] * k[j][i]; }
        yn[i] = y[i] + h * s;
        double c = atol + rtol * std::max(std::fabs(y[i]), std::fabs(yn[i])); a /= c; b /= c; e5 += a * a; e3 += b * b;
      }
      double den = e5 + 0.01 * e3, err = den > 0 ? h * e5 / std::sqrt(den * n()) : 0;
      double f11 = std::pow(err, 0.125), fac = std::max(1.0 / 6, std::min(3.0, f11 / 0.9)), hn = h / fac;
      if (err <= 1) {
        accepted++; t = last ? end : t + h;
        for (int i = 0; i < n(); i++) y[i] = yn[i];
        if (t < end) { f(t, y, k[0]); evaluations++; }
        if (reject) hn = std::min(hn, h);
        reject = false;
      } else { hn = h / std::min(3.0, f11 / 0.9); reject = true; rejected++; }
      h = hn;
    }
  }

private:
  template <int S, class F, class Row> inline void stage(F &f, const Row &a, double c, double t, const double *y, double h) {
    for (int i = 0; i < n(); i++) {
      double s = 0;
      for (int j = 0; j < S; j++) if (a[j] != 0) s += a[j] * k[j][i];
      w[i] = y[i] + h * s;
    }
    f(t + c * h, w, k[S]); evaluations++;
  }
};
