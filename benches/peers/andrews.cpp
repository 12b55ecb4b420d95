// Native peer: Andrews' squeezing mechanism (IFToMM A03, test set for IVP solvers), hand-written index-1 form.
// Problem: 7 angles (beta, Theta, gamma, Phi, delta, Omega, epsilon), 6 loop equations differentiated twice,
//   [M G^T; G 0] [a; lambda] = [f; c], 13 x 13 dense LU with row pivoting, no stabilisation, 0 ... 0.03 s.
// Provenance: written for this benchmark set from the published geometry; independent of the Rust code. Reference digits at
//   t = 0.03 s: golden/mechanisms-andrews (one coordinate, 40 digits), and those published with the test set (PSIDE), which are off by up to 1.4e-9.
// Prints "method=.. tol=.. cpu_us=.. evaluations=.. accepted=.. rejected=.. err_q=.. err_v=.. err_q_published=.. err_v_published=..
//   ns_per_rhs=..": err_q the largest absolute error of an angle, err_v the largest error of a rate relative to its value; tol = rtol = atol;
//   CPU time of one run, best of 9. Then "rhs ns_per_rhs=.. checksum=..".
// build: g++ -O3 -march=native -o andrews andrews.cpp
#include "cputime.hpp"
#include "ode.hpp"
#include <cstdio>

static constexpr double
  m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706, m7 = 0.05498,
  i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5,
  xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072, c0 = 4530, l0 = 0.07785, torque = 0.033,
  d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02,
  ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;

// Solves the 13 x 13 system in place by Gauss elimination with row pivoting; column 13 holds the right side and then the solution.
// Rows are padded to 16 and updated over their whole width, which the compiler turns into a few vector instructions.
static inline void solve13(double (&a)[13][16]) {
  for (int k = 0; k < 13; k++) {
    int p = k; double big = std::fabs(a[k][k]);
    for (int i = k + 1; i < 13; i++) if (std::fabs(a[i][k]) > big) { big = std::fabs(a[i][k]); p = i; }
    if (p != k) for (int j = 0; j < 16; j++) std::swap(a[p][j], a[k][j]);
    const double inv = 1 / a[k][k];
    for (int j = 0; j < 16; j++) a[k][j] *= inv;
    for (int i = k + 1; i < 13; i++) {
      const double l = a[i][k];
      if (l == 0) continue;
      for (int j = 0; j < 16; j++) a[i][j] -= l * a[k][j];
    }
  }
  for (int k = 12; k > 0; k--) for (int i = 0; i < k; i++) a[i][13] -= a[i][k] * a[k][13];
}

static void rhs(double, const double *y, double *f) {
  const double *v = y + 7;
  const double sbe = std::sin(y[0]), cbe = std::cos(y[0]), sth = std::sin(y[1]), cth = std::cos(y[1]), sga = std::sin(y[2]), cga = std::cos(y[2]),
    sph = std::sin(y[3]), cph = std::cos(y[3]), sde = std::sin(y[4]), cde = std::cos(y[4]), som = std::sin(y[5]), com = std::cos(y[5]),
    sep = std::sin(y[6]), cep = std::cos(y[6]);
  // sums of angles
  const double sbt = sbe * cth + cbe * sth, cbt = cbe * cth - sbe * sth, spd = sph * cde + cph * sde, cpd = cph * cde - sph * sde,
    soe = som * cep + com * sep, coe = com * cep - som * sep;
  const double bt = v[0] + v[1], pd = v[3] + v[4], oe = v[5] + v[6];
  alignas(64) double a[13][16] = {};
  double b[13];
  a[0][0] = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cth + da * da) + i1 + i2;
  a[0][1] = a[1][0] = m2 * (da * da - da * rr * cth) + i2;
  a[1][1] = m2 * da * da + i2;
  a[2][2] = m3 * (sa * sa + sb * sb) + i3;
  a[3][3] = m4 * (e - ea) * (e - ea) + i4;
  a[3][4] = a[4][3] = m4 * ((e - ea) * (e - ea) + zt * (e - ea) * sph) + i4;
  a[4][4] = m4 * (zt * zt + 2 * zt * (e - ea) * sph + (e - ea) * (e - ea)) + m5 * (ta * ta + tb * tb) + i4 + i5;
  a[5][5] = m6 * (zf - fa) * (zf - fa) + i6;
  a[5][6] = a[6][5] = m6 * ((zf - fa) * (zf - fa) - u * (zf - fa) * som) + i6;
  a[6][6] = m6 * ((zf - fa) * (zf - fa) - 2 * u * (zf - fa) * som + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
  const double xd = sd * cga + sc * sga + xb, yd = sd * sga - sc * cga + yb;
  const double length = std::sqrt((xd - xc) * (xd - xc) + (yd - yc) * (yd - yc)), force = -c0 * (length - l0) / length;
  const double fx = force * (xd - xc), fy = force * (yd - yc);
  b[0] = torque - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * sth;
  b[1] = m2 * da * rr * v[0] * v[0] * sth;
  b[2] = fx * (sc * cga - sd * sga) + fy * (sd * cga + sc * sga);
  b[3] = m4 * zt * (e - ea) * v[4] * v[4] * cph;
  b[4] = -m4 * zt * (e - ea) * v[3] * (v[3] + 2 * v[4]) * cph;
  b[5] = -m6 * u * (zf - fa) * v[6] * v[6] * com;
  b[6] = m6 * u * (zf - fa) * v[5] * (v[5] + 2 * v[6]) * com;
  // Jacobian of the loops: P by crank minus P by the other three ways
  const double gx0 = -rr * sbe + d * sbt, gy0 = rr * cbe - d * cbt, gx1 = d * sbt, gy1 = -d * cbt;
  double(&g)[13][16] = a;
  g[7][0] = g[9][0] = g[11][0] = gx0; g[8][0] = g[10][0] = g[12][0] = gy0;
  g[7][1] = g[9][1] = g[11][1] = gx1; g[8][1] = g[10][1] = g[12][1] = gy1;
  g[7][2] = -ss * cga; g[8][2] = -ss * sga;
  g[9][3] = -e * cpd; g[10][3] = -e * spd; g[9][4] = -e * cpd + zt * sde; g[10][4] = -e * spd - zt * cde;
  g[11][5] = zf * soe; g[12][5] = -zf * coe; g[11][6] = zf * soe - u * cep; g[12][6] = -zf * coe - u * sep;
  for (int i = 7; i < 13; i++) for (int j = 0; j < 7; j++) a[j][i] = a[i][j];
  const double px = rr * cbe * v[0] * v[0] - d * cbt * bt * bt, py = rr * sbe * v[0] * v[0] - d * sbt * bt * bt;
  b[7] = px - ss * sga * v[2] * v[2]; b[8] = py + ss * cga * v[2] * v[2];
  b[9] = px - e * spd * pd * pd - zt * cde * v[4] * v[4]; b[10] = py + e * cpd * pd * pd - zt * sde * v[4] * v[4];
  b[11] = px - zf * coe * oe * oe - u * sep * v[6] * v[6]; b[12] = py - zf * soe * oe * oe + u * cep * v[6] * v[6];
  for (int i = 0; i < 13; i++) a[i][13] = b[i];
  solve13(a);
  for (int i = 0; i < 7; i++) { f[i] = v[i]; f[7 + i] = a[i][13]; }
}

static const double start[7] = {-0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449, 0.222668390165885884674473185609,
  0.487364979543842550225598953530, -0.222668390165885884674473185609, 1.23054744454982119249735015568};
static const double published[14] = {15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
  1.048080741042263, 1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808, -19.29337464421385, 0.3231791658026955};
static const double reference[14] = {15.8107711951537058, -15.7563710584118378, 0.0408222401196457799, -0.534730116342079742, 0.52440996587995403,
  0.534730116342079742, 1.04808074104193784, 1139.92030225910621, -1424.37929517754028, 11.0329119106182158, 19.2933741050313813, 0.573569914829484721,
  -19.2933741050313813, 0.323179149249118337};

static void errors(const double *y, const double *ref, double &q, double &v) {
  q = v = 0;
  for (int i = 0; i < 7; i++) { q = std::max(q, std::fabs(y[i] - ref[i])); v = std::max(v, std::fabs(y[7 + i] / ref[7 + i] - 1)); }
}

int main() {
  auto f = [](double t, const double *y, double *out) { rhs(t, y, out); };
  for (int method = 5; method <= 8; method += 3)
    for (double tol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
      double best = 1e9, y[14]; long n = 0, acc = 0, rej = 0;
      for (int r = 0; r < 9; r++) {
        Rk<14> solver;
        std::fill(y, y + 14, 0.0); std::copy(start, start + 7, y);
        const double t0 = now_();
        if (method == 5) solver.dopri5(f, 0, 0.03, y, tol, tol); else solver.dop853(f, 0, 0.03, y, tol, tol);
        best = std::min(best, now_() - t0); n = solver.evaluations; acc = solver.accepted; rej = solver.rejected;
      }
      double q, v, qp, vp; errors(y, reference, q, v); errors(y, published, qp, vp);
      std::printf("method=%s tol=%.0e cpu_us=%.1f evaluations=%ld accepted=%ld rejected=%ld err_q=%.3e err_v=%.3e err_q_published=%.3e err_v_published=%.3e ns_per_rhs=%.1f\n",
                  method == 5 ? "dopri5" : "dop853", tol, best * 1e6, n, acc, rej, q, v, qp, vp, best / n * 1e9);
    }
  double best = 1e9, sum = 0;
  for (int r = 0; r < 5; r++) {
    double y[14], g[14];
    std::copy(reference, reference + 14, y); sum = 0;
    const double t0 = now_();
    for (int i = 0; i < 100000; i++) { rhs(0, y, g); sum += g[7]; y[0] += 1e-20 * g[7]; y[1] -= 1e-20 * g[8]; }
    best = std::min(best, (now_() - t0) / 100000);
  }
  std::printf("rhs ns_per_rhs=%.1f checksum=%.9e\n", best * 1e9, sum);
}
