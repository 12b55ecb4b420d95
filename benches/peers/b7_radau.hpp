// Provenance: benchmark set B7 of the project, written for it.
// Radau IIA of order 5 (Hairer & Wanner, code RADAU5), second-order structure: linear systems reduced to 3 unknowns per link,
// block tridiagonal, solved in O(N). Located onsets; separations only update the mode unless locate_sep.
#pragma once
#include "b7_result.hpp"
#include <complex>
template <class T> struct BlockTri { // (diag) 3x3 blocks, Thomas without pivoting between blocks
  int N; std::vector<T> inv, L, U; std::vector<char> cpl; // inv of pivots; L_i = lower_i * inv_{i-1}; U upper
  void resize(int n) { N = n; inv.resize(9 * n); L.resize(9 * n); U.resize(9 * n); cpl.resize(n + 1); }
  static inline void inv3(const T *a, T *o) { T c00 = a[4] * a[8] - a[5] * a[7], c01 = a[5] * a[6] - a[3] * a[8], c02 = a[3] * a[7] - a[4] * a[6]; T id = T(1.0) / (a[0] * c00 + a[1] * c01 + a[2] * c02);
    o[0] = c00 * id; o[1] = (a[2] * a[7] - a[1] * a[8]) * id; o[2] = (a[1] * a[5] - a[2] * a[4]) * id; o[3] = c01 * id; o[4] = (a[0] * a[8] - a[2] * a[6]) * id; o[5] = (a[2] * a[3] - a[0] * a[5]) * id; o[6] = c02 * id; o[7] = (a[1] * a[6] - a[0] * a[7]) * id; o[8] = (a[0] * a[4] - a[1] * a[3]) * id; }
  // A = s^2 M - s D - K, block rows scaled by nothing (forces)
  void factor(const Chain &c, T s) { N = c.N; const double M[3] = {c.m, c.m, c.J}; T s2 = s * s; T P[9];
    for (int i = 0; i < N; i++) { for (int j = 0; j < 9; j++) P[j] = -c.Jd[i].k[j] - s * c.Jd[i].d[j]; for (int j = 0; j < 3; j++) P[4 * j] += s2 * M[j];
      cpl[i] = i && c.jact[i];
      if (cpl[i]) { T lo[9], *Li = &L[9 * i], *Up = &U[9 * (i - 1)]; const T *I = &inv[9 * (i - 1)]; for (int j = 0; j < 9; j++) { lo[j] = -c.Jl[i].k[j] - s * c.Jl[i].d[j]; Up[j] = -c.Ju[i - 1].k[j] - s * c.Ju[i - 1].d[j]; }
        for (int r = 0; r < 3; r++) for (int q = 0; q < 3; q++) Li[3 * r + q] = lo[3 * r] * I[q] + lo[3 * r + 1] * I[3 + q] + lo[3 * r + 2] * I[6 + q];
        for (int r = 0; r < 3; r++) for (int q = 0; q < 3; q++) P[3 * r + q] -= Li[3 * r] * Up[q] + Li[3 * r + 1] * Up[3 + q] + Li[3 * r + 2] * Up[6 + q]; }
      inv3(P, &inv[9 * i]); } cpl[N] = 0; }
  void solve(T *b) const { // b: 3N
    for (int i = 1; i < N; i++) if (cpl[i]) { const T *Li = &L[9 * i]; T *x = b + 3 * i, *p = x - 3; for (int r = 0; r < 3; r++) x[r] -= Li[3 * r] * p[0] + Li[3 * r + 1] * p[1] + Li[3 * r + 2] * p[2]; }
    for (int i = N - 1; i >= 0; i--) { T *x = b + 3 * i, r0 = x[0], r1 = x[1], r2 = x[2]; if (cpl[i + 1]) { const T *u = &U[9 * i], *q = x + 3; r0 -= u[0] * q[0] + u[1] * q[1] + u[2] * q[2]; r1 -= u[3] * q[0] + u[4] * q[1] + u[5] * q[2]; r2 -= u[6] * q[0] + u[7] * q[1] + u[8] * q[2]; }
      const T *I = &inv[9 * i]; x[0] = I[0] * r0 + I[1] * r1 + I[2] * r2; x[1] = I[3] * r0 + I[4] * r1 + I[5] * r2; x[2] = I[6] * r0 + I[7] * r1 + I[8] * r2; } }
};
typedef std::complex<double> cx;
struct Radau {
  Chain &c; Tol tol; int n, N; Stats st; bool locate_sep = false; double hmax = 1e9; double onset_fraction = 0.1; bool cap_onset = true; double thet = 1e-3; double fnewt_user = 0; double kappa = 0;
  std::vector<double> y, z1, z2, z3, f1, f2, f3, w1, w2, w3, y0f, cont2, cont3, cont4, sc, tmp, tmp2, err_, b3; std::vector<cx> bc; BlockTri<double> R; BlockTri<cx> C; std::vector<double> yend;
  Radau(Chain &c_, double r) : c(c_), tol(r), n(c_.n), N(c_.N) { for (auto *v : {&y, &z1, &z2, &z3, &f1, &f2, &f3, &w1, &w2, &w3, &y0f, &cont2, &cont3, &cont4, &sc, &tmp, &tmp2, &err_}) v->assign(n, 0); b3.resize(3 * N); bc.resize(3 * N); R.resize(N); C.resize(N); }
  // b += Jv r, of the stored Jacobian
  template <class T, class F> inline void addD(F r, T *b) { for (int i = 0; i < N; i++) { T a0 = r(i, 0), a1 = r(i, 1), a2 = r(i, 2); const double *d = c.Jd[i].d; T *x = b + 3 * i; x[0] -= d[0] * a0 + d[1] * a1 + d[2] * a2; x[1] -= d[3] * a0 + d[4] * a1 + d[5] * a2; x[2] -= d[6] * a0 + d[7] * a1 + d[8] * a2;
      if (i + 1 < N && c.jact[i + 1]) { const double *u = c.Ju[i].d, *lo = c.Jl[i + 1].d; T q0 = r(i + 1, 0), q1 = r(i + 1, 1), q2 = r(i + 1, 2); x[0] -= u[0] * q0 + u[1] * q1 + u[2] * q2; x[1] -= u[3] * q0 + u[4] * q1 + u[5] * q2; x[2] -= u[6] * q0 + u[7] * q1 + u[8] * q2;
        T *e = x + 3; e[0] -= lo[0] * a0 + lo[1] * a1 + lo[2] * a2; e[1] -= lo[3] * a0 + lo[4] * a1 + lo[5] * a2; e[2] -= lo[6] * a0 + lo[7] * a1 + lo[8] * a2; } } }
  // solve (s I - J) x = r in place; r interleaved. M(s^2 dq) - s D dq - K dq = M(r2 + s r1) - D r1 ; dv = s dq - r1
  void solveR(double s, double *r) { const double M[3] = {c.m, c.m, c.J}; for (int i = 0; i < N; i++) for (int k = 0; k < 3; k++) b3[3 * i + k] = M[k] * (r[6 * i + 3 + k] + s * r[6 * i + k]); addD<double>([&](int i, int k) { return r[6 * i + k]; }, b3.data()); R.solve(b3.data());
    for (int i = 0; i < N; i++) for (int k = 0; k < 3; k++) { double q = b3[3 * i + k]; r[6 * i + 3 + k] = s * q - r[6 * i + k]; r[6 * i + k] = q; } }
  void solveC(cx s, double *re, double *im) { const double M[3] = {c.m, c.m, c.J}; for (int i = 0; i < N; i++) for (int k = 0; k < 3; k++) { cx r1(re[6 * i + k], im[6 * i + k]), r2(re[6 * i + 3 + k], im[6 * i + 3 + k]); bc[3 * i + k] = M[k] * (r2 + s * r1); }
    addD<cx>([&](int i, int k) { return cx(re[6 * i + k], im[6 * i + k]); }, bc.data()); C.solve(bc.data());
    for (int i = 0; i < N; i++) for (int k = 0; k < 3; k++) { cx q = bc[3 * i + k], r1(re[6 * i + k], im[6 * i + k]), v = s * q - r1; re[6 * i + k] = q.real(); im[6 * i + k] = q.imag(); re[6 * i + 3 + k] = v.real(); im[6 * i + 3 + k] = v.imag(); } }
  void interp(double th, double *o) const { double s = th - 1; for (int i = 0; i < n; i++) o[i] = y[i] + z3[i] + s * (cont2[i] + (s - C2M1) * (cont3[i] + (s - C1M1) * cont4[i])); } // y = start of step
  double C1, C2, C1M1, C2M1;
  int newt = 0;
  // one step of size h from y; returns error, or <0 if Newton failed. needs Jacobian; factorises if asked
  double faccon = 1, theta = 0, hhfac = 1;
  bool first = true, rejected = false;
  std::vector<double> F1, F2, F3;
  double attempt(double h, double hold, bool have_cont, bool refactor) {
    static const double T11 = 9.1232394870892942792E-02, T12 = -0.14125529502095420843, T13 = -3.0029194105147424492E-02, T21 = 0.24171793270710701896, T22 = 0.20412935229379993199, T23 = 0.38294211275726193779, T31 = 0.96604818261509293619, TI11 = 4.3255798900631553510, TI12 = 0.33919925181580986954, TI13 = 0.54177053993587487119, TI21 = -4.1787185915519047273, TI22 = -0.32768282076106238708, TI23 = 0.47662355450055045196, TI31 = -0.50287263494578687595, TI32 = 2.5719269498556054292, TI33 = -0.59603920482822492497;
    const double SQ6 = std::sqrt(6.0); C1 = (4 - SQ6) / 10; C2 = (4 + SQ6) / 10; C1M1 = C1 - 1; C2M1 = C2 - 1; const double C1MC2 = C1 - C2, DD1 = -(13 + 7 * SQ6) / 3, DD2 = (-13 + 7 * SQ6) / 3, DD3 = -1.0 / 3;
    double U1 = (6 + std::cbrt(81.0) - std::cbrt(9.0)) / 30, AL = (12 - std::cbrt(81.0) + std::cbrt(9.0)) / 60, BE = (std::cbrt(81.0) + std::cbrt(9.0)) * std::sqrt(3.0) / 60, CN = AL * AL + BE * BE; U1 = 1 / U1; AL /= CN; BE /= CN;
    double fac1 = U1 / h, al = AL / h, be = BE / h; const int nit = 7; const double ur = 1e-16; double fnewt = fnewt_user > 0 ? fnewt_user : std::max(10 * ur / tol.rtol, std::min(0.03, std::sqrt(tol.rtol)));
    if (refactor) { R.factor(c, fac1); C.factor(c, cx(al, be)); st.lu++; }
    F1.resize(n); F2.resize(n); F3.resize(n);
    for (int i = 0; i < n; i++) sc[i] = 1 / tol.sc(i % 6, y[i]);
    if (!have_cont) { std::fill(z1.begin(), z1.end(), 0); z2 = z1; z3 = z1; F1 = z1; F2 = z1; F3 = z1; }
    else { double c3q = h / hold, c1q = C1 * c3q, c2q = C2 * c3q; for (int i = 0; i < n; i++) { double a1 = cont2[i], a2 = cont3[i], a3 = cont4[i]; z1[i] = c1q * (a1 + (c1q - C2M1) * (a2 + (c1q - C1M1) * a3)); z2[i] = c2q * (a1 + (c2q - C2M1) * (a2 + (c2q - C1M1) * a3)); z3[i] = c3q * (a1 + (c3q - C2M1) * (a2 + (c3q - C1M1) * a3));
        F1[i] = TI11 * z1[i] + TI12 * z2[i] + TI13 * z3[i]; F2[i] = TI21 * z1[i] + TI22 * z2[i] + TI23 * z3[i]; F3[i] = TI31 * z1[i] + TI32 * z2[i] + TI33 * z3[i]; } }
    newt = 0; faccon = std::pow(std::max(faccon, ur), 0.8); theta = thet; double dynold = 0, thqold = 0;
    for (;;) { if (newt >= nit) { hhfac = 0.5; return -1; }
      for (int i = 0; i < n; i++) tmp[i] = y[i] + z1[i]; c.rhs(tmp.data(), w1.data()); for (int i = 0; i < n; i++) tmp[i] = y[i] + z2[i]; c.rhs(tmp.data(), w2.data()); for (int i = 0; i < n; i++) tmp[i] = y[i] + z3[i]; c.rhs(tmp.data(), w3.data());
      for (int i = 0; i < n; i++) { double a1 = w1[i], a2 = w2[i], a3 = w3[i]; z1[i] = TI11 * a1 + TI12 * a2 + TI13 * a3 - F1[i] * fac1; z2[i] = TI21 * a1 + TI22 * a2 + TI23 * a3 - F2[i] * al + F3[i] * be; z3[i] = TI31 * a1 + TI32 * a2 + TI33 * a3 - F3[i] * al - F2[i] * be; }
      solveR(fac1, z1.data()); solveC(cx(al, be), z2.data(), z3.data()); st.newton++; newt++;
      double dy = 0; for (int i = 0; i < n; i++) { double s = sc[i], a = z1[i] * s, b = z2[i] * s, d = z3[i] * s; dy += a * a + b * b + d * d; } dy = std::sqrt(dy / (3 * n)); if (!(dy < 1e100)) { hhfac = 0.5; return -1; }
      if (newt > 1 && newt < nit) { double thq = dy / dynold; theta = newt == 2 ? thq : std::sqrt(thq * thqold); thqold = thq; if (theta < 0.99) { faccon = theta / (1 - theta); double dyth = faccon * dy * std::pow(theta, nit - 1 - newt) / fnewt; if (dyth >= 1) { double q = std::max(1e-4, std::min(20.0, dyth)); hhfac = 0.8 * std::pow(q, -1.0 / (4.0 + nit - 1 - newt)); return -1; } } else { hhfac = 0.5; return -1; } }
      dynold = std::max(dy, ur);
      for (int i = 0; i < n; i++) { double a = F1[i] += z1[i], b = F2[i] += z2[i], d = F3[i] += z3[i]; z1[i] = T11 * a + T12 * b + T13 * d; z2[i] = T21 * a + T22 * b + T23 * d; z3[i] = T31 * a + b; }
      if (faccon * dy <= fnewt) break; }
    for (int i = 0; i < n; i++) { tmp2[i] = (DD1 * z1[i] + DD2 * z2[i] + DD3 * z3[i]) / h; err_[i] = tmp2[i] + y0f[i]; } solveR(fac1, err_.data());
    auto norm = [&]() { double e = 0; for (int i = 0; i < n; i++) { double a = err_[i] * sc[i]; e += a * a; } return std::max(std::sqrt(e / n), 1e-10); };
    double e = norm(); if (e >= 1 && (first || rejected)) { for (int i = 0; i < n; i++) tmp[i] = y[i] + err_[i]; c.rhs(tmp.data(), err_.data()); for (int i = 0; i < n; i++) err_[i] += tmp2[i]; solveR(fac1, err_.data()); e = norm(); }
    if (e < 1) for (int i = 0; i < n; i++) { double k2 = (z2[i] - z3[i]) / C2M1, ak = (z1[i] - z2[i]) / C1MC2, a3 = (ak - z1[i] / C1) / C2, k3 = (ak - k2) / C1M1; cont2[i] = k2; cont3[i] = k3; cont4[i] = k3 - a3; }
    return e; }
  double t = 0, h = 1e-5; bool started = false, watch = false; int soft = 0, since = 0; double ratio = 2;
  void run(double tend, Sampler &smp) { if (!started) { c.init(y.data()); started = true; } soft = since = 0; double hold = h; first = true; rejected = false; jac_current = true; c.rhsg(y.data(), y0f.data()); std::vector<double> D0 = c.del, S0 = c.deld, yt(n); bool have = false, needJ = true, needF = true, last = false; double hacc = h, erracc = 1; double hlu = 0; const double safe = 0.9; bool after_event = false; (void)after_event;
    while (t < tend) { double tn = tend, hs = std::min(h, hmax); last = false; if (t + 1.0001 * hs >= tn) { hs = tn - t; last = true; }
      if (needJ) { c.jac(y.data()); st.jac++; needJ = false; needF = true; } if (hs != hlu) needF = true;
      bool fresh = needF; double e = attempt(hs, hold, have, needF); if (fresh) { hlu = hs; needF = false; }
      if (e < 0) { st.rej++; st.nfail++; h = hs * hhfac; rejected = true; needJ = !jac_current; jac_current = true; have = have && hhfac > 0.3; needF = true; continue; }
      double fac = std::min(safe, safe * (1 + 2 * 7.0) / (newt + 2 * 7.0)), quot = std::max(1.0 / 8, std::min(5.0, std::pow(e, 0.25) / fac)), hn = hs / quot;
      if (!(e < 1)) { st.rej++; rejected = true; h = first ? hs * 0.1 : hn; first = false; needJ = !jac_current; jac_current = true; needF = true; continue; }
      // accepted: events
      for (int i = 0; i < n; i++) tmp[i] = y[i] + z3[i]; c.rhsg(tmp.data(), w1.data());
      double best = 2; int who = -1; for (int i = 0; i < N; i++) if (c.touch[i] ? (c.del[i] < 0 || (S0[i] < 0 && c.deld[i] > 0)) : (c.del[i] > 0 || (S0[i] > 0 && c.deld[i] < 0))) { if (c.touch[i] && !locate_sep && c.del[i] < 0) continue; double x = crossing(D0[i], S0[i], c.del[i], c.deld[i], hs, c.touch[i] ? -1 : 1); if (x < best) best = x, who = i; }
      if (who >= 0 && best <= 1) { // refine on the collocation polynomial, then one real step (kept), corrected by Newton on the gap with further steps if needed
        double lo = 0, hi = 1, x = best, dd, d; for (int it = 0; it < 60; it++) { interp(x, yt.data()); d = c.gap1(yt.data(), who, dd); bool past = c.touch[who] ? d < 0 : d > 0; (past ? hi : lo) = x; double xn = dd != 0 ? x - d / (dd * hs) : .5 * (lo + hi); if (!(xn > lo && xn < hi)) xn = .5 * (lo + hi); if (std::fabs(xn - x) < 1e-14) break; x = xn; }
        if (x < 1 - 1e-12) { double he = x * hs; bool ok = false; for (int it = 0; it < 4; it++) { st.relo++; double ee = attempt(he, hs, false, true); needF = true; if (ee < 0 || ee >= 1) { ok = false; h = he * 0.5; break; } ok = true; for (int i = 0; i < n; i++) yt[i] = y[i] + z3[i]; d = c.gap1(yt.data(), who, dd); if (std::fabs(d) < 1e-13 || dd == 0) break; double hx = he - d / dd; if (!(hx > 0) || std::fabs(hx - he) > 0.1 * he) break; he = hx; }
          if (!ok) { st.rej++; rejected = true; hlu = 0; continue; }
          while (smp.next() <= t + he) { std::vector<double> ys(n); interp((smp.next() - t) / he, ys.data()); smp.put(smp.next(), ys.data()); }
          for (int i = 0; i < n; i++) y[i] += z3[i]; t += he; hold = he; } else { double t1 = last ? tn : t + hs; while (smp.next() <= t1) { std::vector<double> ys(n); interp((smp.next() - t) / hs, ys.data()); smp.put(smp.next(), ys.data()); } for (int i = 0; i < n; i++) y[i] += z3[i]; t = t1; hold = hs; }
        have = true; st.acc++; st.ev++; c.gap1(y.data(), who, dd); h = std::max(hs, hn < hs ? hn : hs);
        if (c.touch[who]) c.end_contact(who); else { c.start_contact(t, who, dd); if (cap_onset) h = std::min(h, onset_fraction * c.tcontact(c.meff(y.data(), who), c.vi[who])); }
        c.rhsg(y.data(), y0f.data()); for (int i = 0; i < N; i++) if (c.touch[i] && c.del[i] < 0 && i != who) { c.end_contact(i); } if (c.sweep(t)) c.rhsg(y.data(), y0f.data()); D0 = c.del; S0 = c.deld;
        needJ = true; jac_current = true; first = false; rejected = false; hacc = h; erracc = 1; hlu = 0; continue; }
      bool sep = false; for (int i = 0; i < N; i++) if (c.touch[i] && c.del[i] < 0) { c.end_contact(i); sep = true; } (void)sep;
      st.acc++; if (!first) { double fg = (hacc / hs) * std::pow(e * e / erracc, 0.25) / safe; fg = std::max(1.0 / 8, std::min(5.0, fg)); quot = std::max(quot, fg); hn = hs / quot; } hacc = hs; erracc = std::max(1e-2, e);
      double t1 = last ? tn : t + hs; while (smp.next() <= t1 + 1e-15) { interp(std::min(1.0, (smp.next() - t) / hs), yt.data()); smp.put(smp.next(), yt.data()); }
      for (int i = 0; i < n; i++) y[i] += z3[i]; t = t1; hold = hs; have = true; first = false; y0f.swap(w1); if (c.sweep(t)) { c.rhsg(y.data(), y0f.data()); needJ = true; } D0.swap(c.del); S0.swap(c.deld);
      if (rejected) hn = std::min(hn, hs); rejected = false; double q = hn / hs;
      if (theta <= thet && q >= 1 && q <= 1.2) { h = hs; jac_current = false; if (soft >= 2) break; continue; } // keep Jacobian, factors and size
      if (watch && ++since % 5 == 0) { if (hs * c.lambda(y.data()) < ratio) { if (++soft >= 2) { h = hn; break; } } else soft = 0; }
      h = hn; if (theta <= thet) { jac_current = false; needF = true; } else { needJ = true; jac_current = true; } }
    yend = y; }
  bool jac_current = true;
};
