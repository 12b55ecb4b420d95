// Provenance: benchmark set B7 of the project, written for it.
// B7 model: chain of N rigid planar links, every joint a journal in a bearing with clearance. State per link: x y phi vx vy omega.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>
#include <ctime>
static inline double now_() { timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
// a(1+e) = ln((1+a)/(1-a e))
inline double exact_factor(double e) {
  double lo = 1e-12, hi = (1 - 1e-13) / e;
  auto g = [&](double a) { return a * (1 + e) - std::log1p(a) + std::log1p(-a * e); };
  // g(0)=0; g>0 for small a (second order term a^2(1-e^2)/2), -> -inf at 1/e
  for (int i = 0; i < 200; i++) { double m = .5 * (lo + hi); (g(m) > 0 ? lo : hi) = m; }
  return .5 * (lo + hi);
}
struct Impact { double t, v; int j; };
struct Chain {
  int N, n; static constexpr double l = 0.05, m = 0.1, J = 1e-4, g = 9.81, cl = 1e-4; double vfloor = 1e-6;
  double K, a; std::vector<int> touch; std::vector<double> av, vi; // a/v_i, v_i
  std::vector<double> del, deld; unsigned long nrhs = 0, njac = 0;
  std::vector<Impact> imp; unsigned long nsep = 0; bool log = true;
  Chain(int N_, double e = 0.6) : N(N_), n(6 * N_), touch(N_, 0), av(N_, 0), vi(N_, 0), del(N_), deld(N_) {
    double s = (1 - 0.3 * 0.3) / 207e9, Rb = 5.1e-3, Rj = 5e-3; K = 4.0 / (3 * (s + s)) * std::sqrt(Rb * Rj / (Rb - Rj)); a = exact_factor(e); }
  int seed = 0; // > 0: every link is shifted by 1 nm in a random direction
  void init(double *y) const { unsigned long z = 88172645463325252ull + 7919ull * seed; for (int i = 0; i < N; i++) { double *p = y + 6 * i; p[0] = 0.1 * i + 0.05; p[1] = p[2] = p[3] = p[4] = p[5] = 0; if (seed) { z ^= z << 13; z ^= z >> 7; z ^= z << 17; double th = 6.283185307 * (z >> 11) / 9007199254740992.0; p[0] += 1e-9 * std::cos(th); p[1] += 1e-9 * std::sin(th); } } }
  template <bool GAPS> void rhs_(const double *__restrict y, double *__restrict f) {
    nrhs++; double bx = 0, by = 0, bvx = 0, bvy = 0, pc = 0, ps = 0;
    for (int i = 0; i < N; i++) {
      const double *p = y + 6 * i; double *d = f + 6 * i; double s, c; sincos(p[2], &s, &c); s *= l; c *= l; double w = p[5];
      double ex = p[0] - c - bx, ey = p[1] - s - by, vx = p[3] + s * w - bvx, vy = p[4] - c * w - bvy;
      d[0] = p[3]; d[1] = p[4]; d[2] = w; d[3] = 0; d[4] = -g; d[5] = 0;
      if (GAPS || touch[i]) { double r2 = ex * ex + ey * ey, r = std::sqrt(r2), dl = r - cl;
        if (GAPS) { del[i] = dl; deld[i] = r > 0 ? (ex * vx + ey * vy) / r : 0; }
        if (touch[i] && dl > 0) { double ir = 1 / r, nx = ex * ir, ny = ey * ir, dd = nx * vx + ny * vy, F = K * dl * std::sqrt(dl) * (1 + av[i] * dd);
          if (F > 0) { double Px = F * nx, Py = F * ny; d[3] -= Px / m; d[4] -= Py / m; d[5] += (c * Py - s * Px) / J;
            if (i) { double *e = d - 6; e[3] += Px / m; e[4] += Py / m; e[5] += (pc * Py - ps * Px) / J; } } } }
      bx = p[0] + c; by = p[1] + s; bvx = p[3] - s * w; bvy = p[4] + c * w; pc = c; ps = s; } }
  void rhs(const double *y, double *f) { rhs_<false>(y, f); }
  void rhsg(const double *y, double *f) { rhs_<true>(y, f); }
  void gaps(const double *y, double *D, double *Dd) const { double bx = 0, by = 0, bvx = 0, bvy = 0;
    for (int i = 0; i < N; i++) { const double *p = y + 6 * i; double s, c; sincos(p[2], &s, &c); s *= l; c *= l; double w = p[5];
      double ex = p[0] - c - bx, ey = p[1] - s - by, vx = p[3] + s * w - bvx, vy = p[4] - c * w - bvy, r = std::sqrt(ex * ex + ey * ey);
      D[i] = r - cl; Dd[i] = r > 0 ? (ex * vx + ey * vy) / r : 0; bx = p[0] + c; by = p[1] + s; bvx = p[3] - s * w; bvy = p[4] + c * w; } }
  double gap1(const double *y, int i, double &dd) const { const double *p = y + 6 * i; double s, c; sincos(p[2], &s, &c); s *= l; c *= l;
    double ex = p[0] - c, ey = p[1] - s, vx = p[3] + s * p[5], vy = p[4] - c * p[5];
    if (i) { const double *b = p - 6; sincos(b[2], &s, &c); s *= l; c *= l; ex -= b[0] + c; ey -= b[1] + s; vx -= b[3] - s * b[5]; vy -= b[4] + c * b[5]; }
    double r = std::sqrt(ex * ex + ey * ey); dd = r > 0 ? (ex * vx + ey * vy) / r : 0; return r - cl; }
  // 1/m_eff of joint i along its normal, both bodies free
  double meff(const double *y, int i) const { const double *p = y + 6 * i; double s, c; sincos(p[2], &s, &c); double ex = p[0] - l * c, ey = p[1] - l * s, pc = 0, ps = 0;
    if (i) { const double *b = p - 6; sincos(b[2], &ps, &pc); ex -= b[0] + l * pc; ey -= b[1] + l * ps; } double r = std::sqrt(ex * ex + ey * ey); ex /= r; ey /= r;
    double q = l * (c * ey - s * ex), im = 1 / m + q * q / J; if (i) { q = l * (pc * ey - ps * ex); im += 1 / m + q * q / J; } return 1 / im; }
  // duration of an impact: 2.94 d/v, d = (5 m v^2/(4K))^0.4
  double tcontact(double mm, double v) const { return 2.943 * std::pow(5 * mm * v * v / (4 * K), 0.4) / v; }
  void start_contact(double t, int i, double dd) { double v = std::max(dd, vfloor); touch[i] = 1; vi[i] = v; av[i] = a / v; if (log) imp.push_back({t, dd, i}); }
  // contacts that overlap without having been started (two onsets within one rounding): begin now
  bool sweep(double t) { bool any = false; for (int i = 0; i < N; i++) if (!touch[i] && del[i] > 0 && deld[i] > 0) { start_contact(t, i, deld[i]); any = true; swept++; } return any; }
  unsigned long swept = 0;
  void end_contact(int i) { touch[i] = 0; nsep++; }
  // fastest rates of the contacts: damping dF/ddelta'/m_eff and sqrt(dF/ddelta/m_eff)
  double lambda(const double *y) const { double L = 0; for (int i = 0; i < N; i++) if (touch[i]) { double dd, d = gap1(y, i, dd); if (d <= 0) continue; double im = 1 / meff(y, i), F = K * d * std::sqrt(d), br = std::max(0.0, 1 + av[i] * dd); L = std::max(L, std::max(F * av[i] * im, std::sqrt(1.5 * F / d * br * im))); } return L; }
  double energy(const double *y, double *kin = nullptr) const { double E = 0, T = 0; std::vector<double> D(N), Dd(N); gaps(y, D.data(), Dd.data());
    for (int i = 0; i < N; i++) { const double *p = y + 6 * i; T += .5 * m * (p[3] * p[3] + p[4] * p[4]) + .5 * J * p[5] * p[5]; E += m * g * p[1]; if (D[i] > 0) E += .4 * K * std::pow(D[i], 2.5); } if (kin) *kin = T; return E + T; }
  // generalised force Jacobian, as blocks per joint: joint i couples links i-1 (0) and i (1). Kq[i][a][b] 3x3 = dQ_a/dq_b, Dv = dQ_a/dv_b
  // Returned as block tridiagonal of acceleration form M^-1: diag/lower/upper for stiffness and damping. Row = link.
  struct Blk { double k[9], d[9]; };
  std::vector<Blk> Jd, Jl, Ju; // diagonal, lower (row i, col i-1), upper (row i, col i+1); forces, not divided by mass
  std::vector<char> jact; // joint active in the Jacobian
  void jac(const double *y) { njac++; Jd.resize(N); Jl.resize(N); Ju.resize(N); jact.assign(N + 1, 0); std::memset(Jd.data(), 0, N * sizeof(Blk));
    double bx = 0, by = 0, bvx = 0, bvy = 0, pc = 0, ps = 0, pw = 0;
    for (int i = 0; i < N; i++) { const double *p = y + 6 * i; double s, c; sincos(p[2], &s, &c); s *= l; c *= l; double w = p[5];
      double ex = p[0] - c - bx, ey = p[1] - s - by, vx = p[3] + s * w - bvx, vy = p[4] - c * w - bvy;
      bool on = false;
      if (touch[i]) { double r = std::sqrt(ex * ex + ey * ey), dl = r - cl;
        if (dl > 0) { double nx = ex / r, ny = ey / r, dd = nx * vx + ny * vy, q = std::sqrt(dl), br = 1 + av[i] * dd, F = K * dl * q * br;
          if (F > 0) { on = true; double Fd = 1.5 * K * q * br, Fv = K * dl * q * av[i];
            double gx = Fd * nx + Fv * (vx - dd * nx) / r, gy = Fd * ny + Fv * (vy - dd * ny) / r, Fr = F / r;
            double G[4] = {nx * gx + Fr * (1 - nx * nx), nx * gy - Fr * nx * ny, ny * gx - Fr * nx * ny, ny * gy + Fr * (1 - ny * ny)};
            double H[4] = {Fv * nx * nx, Fv * nx * ny, Fv * nx * ny, Fv * ny * ny}; double Px = F * nx, Py = F * ny;
            // B columns: link i: [I, -l u'_i] , u' l = (-s, c); link i-1: [-I, -l u'_{i-1}]
            double b1x = s, b1y = -c, b0x = ps, b0y = -pc; // third column of B
            double dv1x = c * w, dv1y = s * w, dv0x = pc * pw, dv0y = ps * pw; // dv/dphi
            auto cols = [&](double sg, double tx, double ty, double wx, double wy, double *GB, double *HB) { // 2x3
              GB[0] = sg * G[0]; GB[1] = sg * G[1]; GB[2] = G[0] * tx + G[1] * ty + H[0] * wx + H[1] * wy;
              GB[3] = sg * G[2]; GB[4] = sg * G[3]; GB[5] = G[2] * tx + G[3] * ty + H[2] * wx + H[3] * wy;
              HB[0] = sg * H[0]; HB[1] = sg * H[1]; HB[2] = H[0] * tx + H[1] * ty; HB[3] = sg * H[2]; HB[4] = sg * H[3]; HB[5] = H[2] * tx + H[3] * ty; };
            double GB1[6], HB1[6], GB0[6], HB0[6]; cols(1, b1x, b1y, dv1x, dv1y, GB1, HB1); if (i) cols(-1, b0x, b0y, dv0x, dv0y, GB0, HB0);
            auto rows = [&](double sg, double tx, double ty, const double *A, double *out, bool add) { for (int j = 0; j < 3; j++) { double r0 = -sg * A[j], r1 = -sg * A[3 + j], r2 = -(tx * A[j] + ty * A[3 + j]);
              if (add) { out[j] += r0; out[3 + j] += r1; out[6 + j] += r2; } else { out[j] = r0; out[3 + j] = r1; out[6 + j] = r2; } } };
            rows(1, b1x, b1y, GB1, Jd[i].k, true); rows(1, b1x, b1y, HB1, Jd[i].d, true); Jd[i].k[8] -= c * Px + s * Py;
            if (i) { rows(-1, b0x, b0y, GB0, Jd[i - 1].k, true); rows(-1, b0x, b0y, HB0, Jd[i - 1].d, true); Jd[i - 1].k[8] -= pc * Px + ps * Py;
              rows(1, b1x, b1y, GB0, Jl[i].k, false); rows(1, b1x, b1y, HB0, Jl[i].d, false); rows(-1, b0x, b0y, GB1, Ju[i - 1].k, false); rows(-1, b0x, b0y, HB1, Ju[i - 1].d, false); } } } }
      jact[i] = on; bx = p[0] + c; by = p[1] + s; bvx = p[3] - s * w; bvy = p[4] + c * w; pc = c; ps = s; pw = w; }
    for (int i = 0; i < N; i++) if (!jact[i]) { std::memset(&Jl[i], 0, sizeof(Blk)); if (i) std::memset(&Ju[i - 1], 0, sizeof(Blk)); }
    std::memset(&Ju[N - 1], 0, sizeof(Blk)); std::memset(&Jl[0], 0, sizeof(Blk)); }
};
// cubic Hermite of a gap over a step: first crossing upwards (sg=+1, from below) or downwards (sg=-1), as a fraction; 2 = none
inline double crossing(double d0, double s0, double d1, double s1, double h, int sg) {
  d0 *= sg; d1 *= sg; s0 *= sg * h; s1 *= sg * h; // look for - to +
  double c2 = 3 * (d1 - d0) - 2 * s0 - s1, c3 = s0 + s1 - 2 * (d1 - d0);
  if (d1 <= 0 && !(s0 > 0 && s1 < 0)) return 2;
  auto p = [&](double x) { return d0 + x * (s0 + x * (c2 + x * c3)); };
  double xp = 0, fp = d0; bool neg = fp < 0 || s0 < 0;
  for (int k = 1; k <= 16; k++) { double x = k / 16.0, f = k == 16 ? d1 : p(x); if (f > 0 && neg) { double lo = xp, hi = x; for (int it = 0; it < 60 && hi - lo > 1e-14; it++) { double mid = .5 * (lo + hi); (p(mid) > 0 ? hi : lo) = mid; } return hi; } if (f < 0) neg = true; xp = x; fp = f; }
  return 2;
}
struct Tol { double rtol; double at[6]; Tol(double r) : rtol(r) { double L = r * 1e-4, A = L / 0.05; at[0] = at[1] = L; at[2] = A; at[3] = at[4] = L / 1e-2; at[5] = A / 1e-2; }
  inline double sc(int k, double y) const { return k < 3 ? at[k] : at[k] + rtol * std::fabs(y); } };
