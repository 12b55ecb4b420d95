// Provenance: benchmark set B3 of the project (shared/peers), copied without change below this line.
// B3 native peer: DOP853 (coefficients generated from scipy), minimal coordinates, event location by re-stepping.
// usage: b3_dop853 rtol tend nout reps [outfile]
#include "b3_model.hpp"
#include "cputime.hpp"
#include "dop853_coef.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
struct D8 {
  B3<double> m; double rtol, at[4], k[13][4]; int contact = 0; unsigned long nacc = 0, nrej = 0, nev = 0;
  D8(double r) : rtol(r) { at[0] = at[1] = r * 1e-3; at[2] = at[3] = r; }
  template <int S> inline __attribute__((always_inline)) void stage(double t, const double *y, double h) { double w[4]; for (int i = 0; i < 4; i++) { double s = 0; for (int j = 0; j < S; j++) if (DA[S][j] != 0) s += DA[S][j] * k[j][i]; w[i] = y[i] + h * s; } m.rhs(t + DC[S] * h, w, k[S], contact); }
  double step(double t, const double *y, double h, double *yn) { // k[0] given; k[12] is NOT filled (done on acceptance)
    stage<1>(t, y, h); stage<2>(t, y, h); stage<3>(t, y, h); stage<4>(t, y, h); stage<5>(t, y, h); stage<6>(t, y, h); stage<7>(t, y, h); stage<8>(t, y, h); stage<9>(t, y, h); stage<10>(t, y, h); stage<11>(t, y, h);
    double e5 = 0, e3 = 0; for (int i = 0; i < 4; i++) { double s = 0, a = 0, b = 0; for (int j = 0; j < 12; j++) { s += DB[j] * k[j][i]; a += E5[j] * k[j][i]; b += E3[j] * k[j][i]; } yn[i] = y[i] + h * s; double sc = at[i] + (i >= 2 ? rtol * std::max(std::fabs(y[i]), std::fabs(yn[i])) : 0); a /= sc; b /= sc; e5 += a * a; e3 += b * b; }
    if (e5 == 0 && e3 == 0) return 0; return h * e5 / std::sqrt((e5 + 0.01 * e3) * 4); }
  void run(double tend, int nout, std::vector<double> &out) {
    double y[4], yn[4], t = 0, h = 1e-5, dd; m.init(y); m.ivm = 1 / m.vmin; out.clear(); int io = 1; double tn = tend / nout; auto save = [&](double tt) { out.push_back(tt); out.insert(out.end(), y, y + 4); }; save(0); m.rhs(t, y, k[0], 0); bool rej = false;
    for (;;) { bool last = false; double hs = h; if (t + 1.0001 * h >= tn) { hs = tn - t; last = true; } double e = step(t, y, hs, yn); double fac = e > 0 ? std::min(6.0, std::max(0.2, 0.9 * std::pow(e, -0.125))) : 6.0;
      if (!(e <= 1)) { nrej++; h = hs * std::min(1.0, fac); rej = true; continue; }
      double dd1, d1 = m.delta(t + hs, yn, dd1);
      if ((!contact && d1 > 0) || (contact && d1 < 0)) { double lo = 0, hi = hs, x = hs, dx = d1, ddx = dd1;
        for (int it = 0; it < 60; it++) { double xn = ddx != 0 ? x - dx / ddx : .5 * (lo + hi); if (!(xn > lo && xn < hi)) xn = .5 * (lo + hi); if (std::fabs(xn - x) < 1e-15 * (t + hs)) break; x = xn; step(t, y, x, yn); dx = m.delta(t + x, yn, ddx); if (std::fabs(dx) < 1e-16) break; if (contact ? dx < 0 : dx > 0) hi = x; else lo = x; }
        nev++; nacc++; t += x; std::copy(yn, yn + 4, y); contact = !contact; if (contact) { m.ivm = 1 / std::max(ddx, m.vmin); h = std::min(h, 2e-6); } m.rhs(t, y, k[0], contact); rej = false; continue; }
      nacc++; t += hs; std::copy(yn, yn + 4, y); m.rhs(t, y, k[0], contact); double hn = hs * (rej ? std::min(1.0, fac) : fac); rej = false;
      if (last) { save(tn); if (++io > nout) break; tn = tend * io / nout; h = std::max(h, hn); if (hn < h && hs > 0.5 * h) h = hn; } else h = hn; (void)dd; }
  }
};
int main(int c, char **v) {
  double rt = c > 1 ? atof(v[1]) : 1e-8, te = c > 2 ? atof(v[2]) : .6; int no = c > 3 ? atoi(v[3]) : 60, reps = c > 4 ? atoi(v[4]) : 5; std::vector<double> o; double best = 1e9; unsigned long n = 0, a = 0, j = 0, e = 0;
  for (int r = 0; r < reps; r++) { D8 d(rt); double t0 = now_(); d.run(te, no, o); best = std::min(best, now_() - t0); n = d.m.nrhs; a = d.nacc; j = d.nrej; e = d.nev; }
  printf("rtol=%g cpu_ms=%.4f nrhs=%lu nacc=%lu nrej=%lu nev=%lu ns_per_rhs=%.1f\n", rt, best * 1e3, n, a, j, e, best * 1e9 / n);
  if (c > 5) { FILE *f = fopen(v[5], "w"); for (size_t i = 0; i < o.size(); i += 5) fprintf(f, "%.6f %.16e %.16e %.16e %.16e\n", o[i], o[i+1], o[i+2], o[i+3], o[i+4]); fclose(f); }
}
