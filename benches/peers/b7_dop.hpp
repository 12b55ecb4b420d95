// Provenance: benchmark set B7 of the project, written for it.
// DOP853 with located onsets (and, optionally, separations). Product-like tolerances.
#pragma once
#include "b7_result.hpp"
#include "dop853_coef.hpp"
struct Dop {
  Chain &c; Tol tol; int n; Stats st; std::vector<double> kk, w, yn; double *k[13]; bool locate_sep = true; double hmax = 1e9, beta = 0, eold = 1e-4;
  Dop(Chain &c_, double r) : c(c_), tol(r), n(c_.n), kk(13 * c_.n), w(c_.n), yn(c_.n) { for (int i = 0; i < 13; i++) k[i] = kk.data() + i * n; }
  template <int S> inline __attribute__((always_inline)) void stage(const double *y, double h) { double *ww = w.data(); for (int i = 0; i < n; i++) { double s = 0;
#pragma GCC unroll 12
      for (int j = 0; j < S; j++) if (DA[S][j] != 0) s += DA[S][j] * k[j][i]; ww[i] = y[i] + h * s; } c.rhs(ww, k[S]); }
  double step(const double *y, double h, double *y1) {
    stage<1>(y, h); stage<2>(y, h); stage<3>(y, h); stage<4>(y, h); stage<5>(y, h); stage<6>(y, h); stage<7>(y, h); stage<8>(y, h); stage<9>(y, h); stage<10>(y, h); stage<11>(y, h);
    double e5 = 0, e3 = 0; for (int i = 0; i < n; i++) { double s = 0, a = 0, b = 0;
#pragma GCC unroll 12
      for (int j = 0; j < 12; j++) { if (DB[j] != 0) s += DB[j] * k[j][i]; if (E5[j] != 0) a += E5[j] * k[j][i]; if (E3[j] != 0) b += E3[j] * k[j][i]; } y1[i] = y[i] + h * s; int q = i % 6; double sc = 1 / tol.sc(q, std::max(std::fabs(y[i]), std::fabs(y1[i]))); a *= sc; b *= sc; e5 += a * a; e3 += b * b; }
    if (e5 == 0 && e3 == 0) return 0; return h * e5 / std::sqrt((e5 + 0.01 * e3) * n); }
  double t = 0, h = 1e-5; std::vector<double> y; bool watch = false; int stiff = 0, since = 0; double ratio = 3.3;
  void run(double tend, Sampler &smp) {
    std::vector<double> D0(c.N), S0(c.N); if (y.empty()) { y.resize(n); c.init(y.data()); } stiff = since = 0; c.rhsg(y.data(), k[0]); D0 = c.del; S0 = c.deld; bool rej = false;
    while (t < tend) { double tn = std::min(smp.next(), tend); bool last = false; double hs = std::min(h, hmax); if (t + 1.0001 * hs >= tn) { hs = tn - t; last = true; }
      double e = step(y.data(), hs, yn.data()); double fac = e > 0 ? std::min(6.0, std::max(0.2, 0.9 * std::pow(e, -(0.125 - (e <= 1 ? 0.2 * beta : 0))) * (e <= 1 ? std::pow(eold, beta) : 1.0))) : 6.0; if (e <= 1) eold = std::max(e, 1e-4);
      if (!(e <= 1)) { st.rej++; h = hs * (e == e ? std::min(1.0, fac) : 0.1); rej = true; continue; }
      c.rhsg(yn.data(), k[12]); // slope at the end, gaps at the end
      double best = 2; int who = -1; for (int i = 0; i < c.N; i++) if (c.touch[i] ? (c.del[i] < 0 || (S0[i] < 0 && c.deld[i] > 0)) : (c.del[i] > 0 || (S0[i] > 0 && c.deld[i] < 0))) { if (c.touch[i] && !locate_sep && c.del[i] < 0) { continue; }
        double x = crossing(D0[i], S0[i], c.del[i], c.deld[i], hs, c.touch[i] ? -1 : 1); if (x < best) best = x, who = i; }
      if (who >= 0 && best <= 1) { // step to the event
        double x = best * hs, lo = 0, hi = hs, dd, d; for (int it = 0; it < 40; it++) { step(y.data(), x, yn.data()); st.relo++; d = c.gap1(yn.data(), who, dd); if (std::fabs(d) < 2e-16) break; bool past = c.touch[who] ? d < 0 : d > 0; (past ? hi : lo) = x; double xn = dd != 0 ? x - d / dd : .5 * (lo + hi); if (!(xn > lo && xn < hi)) xn = .5 * (lo + hi); if (std::fabs(xn - x) < 1e-15 * t) break; x = xn; }
        t += x; y = yn; st.acc++; st.ev++; c.gap1(y.data(), who, dd);
        if (c.touch[who]) c.end_contact(who); else { c.start_contact(t, who, dd); h = std::min(h, 0.05 * c.tcontact(c.meff(y.data(), who), c.vi[who])); }
        c.rhsg(y.data(), k[0]); if (c.sweep(t)) c.rhsg(y.data(), k[0]); D0 = c.del; S0 = c.deld; rej = false; continue; }
      if (!locate_sep) for (int i = 0; i < c.N; i++) if (c.touch[i] && c.del[i] < 0) c.end_contact(i);
      if (watch && ++since % 5 == 0) { if (hs * c.lambda(yn.data()) > ratio) { if (++stiff >= 4) { } } else stiff = 0; }
      st.acc++; t = last ? tn : t + hs; y.swap(yn); std::swap(k[0], k[12]); if (c.sweep(t)) c.rhsg(y.data(), k[0]); D0.swap(c.del); S0.swap(c.deld); double hn = hs * (rej ? std::min(1.0, fac) : fac); rej = false;
      if (last) { if (tn == smp.next()) smp.put(t, y.data()); h = std::max(std::min(h, 1e9), hn); if (hn < h && hs > 0.5 * h) h = hn; } else h = hn; if (stiff >= 4) break; }
    yend = y; }
  std::vector<double> yend;
};
