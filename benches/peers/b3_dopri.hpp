// Provenance: benchmark set B3 of the project (shared/peers), copied without change below this line.
// Hand-written DOPRI5(4) for B3 (FSAL, Hairer's controller), with or without event location. Used by b3_dopri.cpp and b6_sweep.cpp.
#pragma once
#include "b3_model.hpp"
#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>
template <class T> struct Dopri {
  B3<T> m; T rtol, atolp[4]; bool ev; unsigned long nacc = 0, nrej = 0, nev = 0; double dmin_force = 0;
  T k[7][4];
  std::function<void(T, const T *, int, int)> observer; // optional, called after every accepted step (t, y, contact, event)
  Dopri(const B3Par &p, T rt, bool e) : m(p), rtol(rt), ev(e) {
    // absolute tolerances: rtol * (0.003 rad, 1 mm scale -> clearance scale), velocities
    atolp[0] = rt * T(1e-3); atolp[1] = rt * T(1e-3); atolp[2] = rt * 1; atolp[3] = rt * T(1);
  }
  int contact = 0; // event mode: 0 free, 1 in contact
  // one step of size h from (t,y), k[0] filled; result yn, k[6] = f(t+h,yn); returns error norm
  T step(T t, const T *y, T h, T *yn, int c) {
    static const T a21 = T(1)/5, a31 = T(3)/40, a32 = T(9)/40, a41 = T(44)/45, a42 = -T(56)/15, a43 = T(32)/9,
      a51 = T(19372)/6561, a52 = -T(25360)/2187, a53 = T(64448)/6561, a54 = -T(212)/729,
      a61 = T(9017)/3168, a62 = -T(355)/33, a63 = T(46732)/5247, a64 = T(49)/176, a65 = -T(5103)/18656,
      b1 = T(35)/384, b3 = T(500)/1113, b4 = T(125)/192, b5 = -T(2187)/6784, b6 = T(11)/84,
      e1 = T(71)/57600, e3 = -T(71)/16695, e4 = T(71)/1920, e5 = -T(17253)/339200, e6 = T(22)/525, e7 = -T(1)/40;
    T w[4]; const int n = 4;
    for (int i = 0; i < n; i++) w[i] = y[i] + h * a21 * k[0][i];
    m.rhs(t + h / 5, w, k[1], c);
    for (int i = 0; i < n; i++) w[i] = y[i] + h * (a31 * k[0][i] + a32 * k[1][i]);
    m.rhs(t + h * 3 / 10, w, k[2], c);
    for (int i = 0; i < n; i++) w[i] = y[i] + h * (a41 * k[0][i] + a42 * k[1][i] + a43 * k[2][i]);
    m.rhs(t + h * 4 / 5, w, k[3], c);
    for (int i = 0; i < n; i++) w[i] = y[i] + h * (a51 * k[0][i] + a52 * k[1][i] + a53 * k[2][i] + a54 * k[3][i]);
    m.rhs(t + h * 8 / 9, w, k[4], c);
    for (int i = 0; i < n; i++) w[i] = y[i] + h * (a61 * k[0][i] + a62 * k[1][i] + a63 * k[2][i] + a64 * k[3][i] + a65 * k[4][i]);
    m.rhs(t + h, w, k[5], c);
    for (int i = 0; i < n; i++) yn[i] = y[i] + h * (b1 * k[0][i] + b3 * k[2][i] + b4 * k[3][i] + b5 * k[4][i] + b6 * k[5][i]);
    m.rhs(t + h, yn, k[6], c);
    T s = 0;
    for (int i = 0; i < n; i++) {
      T e = h * (e1 * k[0][i] + e3 * k[2][i] + e4 * k[3][i] + e5 * k[4][i] + e6 * k[5][i] + e7 * k[6][i]);
      T sc = atolp[i] + (i >= 2 ? rtol * std::max(std::fabs(y[i]), std::fabs(yn[i])) : T(0));
      e /= sc; s += e * e;
    }
    return std::sqrt(s / n);
  }
  // integrate to tend, writing state at nout equidistant times (by stepping exactly onto them)
  void run(T tend, int nout, std::vector<T> &out, bool landing = true) {
    T y[4], yn[4], t = 0; m.init(y); out.clear();
    contact = 0; m.ivm = 1 / m.vmin; T dd; m.delta(t, y, dd);
    m.rhs(t, y, k[0], contact);
    T h = 1e-5, facold = 1e-4; int io = 1; T tnext = tend / nout; bool rejected = false; 
    T d0 = m.delta(t, y, dd);
    auto save = [&](T tt) { out.push_back(tt); for (int i = 0; i < 4; i++) out.push_back(y[i]); };
    save(0);
    while (true) {
      bool last = false; T hs = h;
      if (t + T(1.0001) * h >= tnext) { hs = tnext - t; last = true; }
      int cm = ev ? contact : (contact ? 1 : 2);
      T err = step(t, y, hs, yn, cm);
      T fac11 = err > 0 ? std::pow(err, T(0.17)) : T(1e-3);  // expo = 0.2 - 0.75*0.04
      T fac = fac11 / std::pow(facold, T(0.04)); fac = std::max(T(0.1), std::min(T(5), fac / T(0.9)));
      T hnew = hs / fac;
      if (!(err <= 1)) { nrej++; h = hs / std::min(T(5), fac11 / T(0.9)); rejected = true; continue; }
      T dd1, d1 = m.delta(t + hs, yn, dd1);
      if (ev && ((contact == 0 && d1 > 0) || (contact == 1 && d1 < 0))) {
        // locate root of delta as a function of the step size by re-stepping (Newton + bisection safeguard)
        T lo = 0, hi = hs, x = hs, dx = d1, ddx = dd1; int it = 0;
        const T tol = std::is_same<T, double>::value ? T(1e-16) : T(1e-20);
        while (it++ < 60) {
          T xn = ddx != 0 ? x - dx / ddx : (lo + hi) / 2;
          if (!(xn > lo && xn < hi)) xn = (lo + hi) / 2;
          if (std::fabs(xn - x) < 4 * std::numeric_limits<T>::epsilon() * (t + hs)) { break; }
          x = xn; step(t, y, x, yn, cm); dx = m.delta(t + x, yn, ddx);
          if (std::fabs(dx) < tol) break;
          bool past = contact == 0 ? dx > 0 : dx < 0; if (past) hi = x; else lo = x;
        }
        nev++; nacc++; t += x; for (int i = 0; i < 4; i++) y[i] = yn[i];
        contact = !contact;
        if (contact) { T vm = std::max(ddx, m.vmin); m.ivm = 1 / vm; h = std::min(h, T(1e-6)); } // small restart step
        if (observer) observer(t, y, contact, 1);
        m.rhs(t, y, k[0], contact); facold = 1e-4; d0 = 0; rejected = false;
        continue;
      }
      nacc++; facold = std::max(err, T(1e-4)); t += hs;
      if (!ev) {
        if (!contact && d1 > 0) { // no event location: impact velocity from linear back-interpolation inside the step
          T w = d1 > d0 ? d1 / (d1 - d0) : 0; w = std::max(T(0), std::min(T(1), w));
          T vm = dd1 + 0 * w; (void)w; vm = std::max(vm, m.vmin); m.ivm = 1 / vm; contact = 1;
          m.rhs(t, yn, k[6], 1);
        } else if (contact && d1 <= 0) { contact = 0; }
      }
      d0 = d1;
      for (int i = 0; i < 4; i++) { y[i] = yn[i]; k[0][i] = k[6][i]; }
      if (observer) observer(t, y, contact, 0);
      if (rejected) { hnew = std::min(hnew, hs); rejected = false; }
      if (last) { save(tnext); if (++io > nout) break; tnext = tend * io / nout; if (hnew > h || hs > h / 5) h = std::max(h, hnew) ; }
      else h = hnew;
    }
  }
};
