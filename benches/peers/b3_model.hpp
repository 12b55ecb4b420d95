// Provenance: benchmark set B3 of the project (shared/peers), copied without change below this line.
// B3 slider-crank with a clearance joint rod/slider: minimal coordinates, shared by the C++ peers.
// State y = (phi, x, phidot, xdot). See spec/performance.md for the definition. SI units.
#pragma once
#include <cmath>
struct B3Par {
  double a = 0.05, L = 0.3, mr = 1.13, J = 0.0153, ms = 1.013;
  double c = 0.25e-3, Rb = 10e-3, E = 207e9, nu = 0.3, cr = 0.46, mu = 0.01, vd = 1e-3, vmin = 1e-3;
  double g = 9.81, om = 200.0 * 2.0 * M_PI / 60.0;
};
template <class T> struct B3 {
  T a, l, L, mr, ms, Itot, c, Rb, K, chi0, mu, vd, ivd, vmin, g, om, ivm, rL, aom, aom2;
  unsigned long nrhs = 0;
  explicit B3(const B3Par &p = {}) {
    a = p.a; L = p.L; l = L / 2; mr = p.mr; ms = p.ms; Itot = p.J + p.mr * (p.L / 2) * (p.L / 2);
    c = p.c; Rb = p.Rb; double Rj = p.Rb - p.c, s = (1 - p.nu * p.nu) / p.E;
    K = 4.0 / (3.0 * 2.0 * s) * std::sqrt(p.Rb * Rj / p.c);
    chi0 = 0.75 * (1 - p.cr * p.cr); mu = p.mu; vd = p.vd; ivd = 1 / p.vd; vmin = p.vmin; g = p.g; om = p.om;
    aom = a * om; aom2 = aom * om;
  }
  // initial state: ideal mechanism at theta=0, journal centred
  void init(T *y) const { y[0] = 0; y[1] = a + L; y[2] = -aom / L; y[3] = 0; }
  // gap quantities: returns delta, sets ddot
  T delta(T t, const T *y, T &dd) const {
    using std::sin; using std::cos; using std::sqrt;
    T ct = cos(om * t), st = sin(om * t), cp = cos(y[0]), sp = sin(y[0]);
    T ex = y[1] - a * ct - L * cp, ey = -a * st - L * sp;
    T vx = y[3] + aom * st + L * y[2] * sp, vy = -aom * ct - L * y[2] * cp;
    T ec = sqrt(ex * ex + ey * ey);
    dd = ec > 0 ? (ex * vx + ey * vy) / ec : sqrt(vx * vx + vy * vy);
    return ec - c;
  }
  // ivm = 1/(impact velocity); contact==0 forces no contact force, contact==1: force if delta>0
  inline void rhs(T t, const T *y, T *f, int contact = 1) {
    using std::sin; using std::cos; using std::sqrt;
    nrhs++;
    T ct, st, cp, sp;
    ct = cos(om * t); st = sin(om * t); cp = cos(y[0]); sp = sin(y[0]);
    T ex = y[1] - a * ct - L * cp, ey = -a * st - L * sp;
    T Ax = -aom2 * ct, Ay = -aom2 * st;
    T Q = -mr * l * (-sp * Ax + cp * (Ay + g)), Fx = 0;
    T e2 = ex * ex + ey * ey;
    if (contact && e2 > c * c) {
      T ec = sqrt(e2), ie = 1 / ec, nx = ex * ie, ny = ey * ie, d = ec - c;
      T vx = y[3] + aom * st + L * y[2] * sp, vy = -aom * ct - L * y[2] * cp;
      T dd = nx * vx + ny * vy, arm = Rb + d / 2, vt = -ny * vx + nx * vy - y[2] * arm;
      T im = contact == 2 ? 1 / (dd > vmin ? dd : vmin) : ivm;
      T fn = K * d * sqrt(d) * (1 + chi0 * dd * im);
      T s = vt * ivd; s = s > 1 ? T(1) : (s < -1 ? T(-1) : s);
      T ft = mu * fn * s;
      Fx = -fn * nx + ft * ny;
      Q += fn * L * (cp * ny - sp * nx) + ft * (L * (cp * nx + sp * ny) + arm);
    }
    f[0] = y[2]; f[1] = y[3]; f[2] = Q / Itot; f[3] = Fx / ms;
  }
};
