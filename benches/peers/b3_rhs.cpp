// B3 native peer: time of one right-hand side of the hand-derived minimal coordinates (b3_model.hpp), no integrator.
// Problem: slider-crank with a clearance joint, two degrees of freedom; state (phi, x, phidot, xdot); see b3_model.hpp.
// Provenance: written for this benchmark set on top of the project's B3 model; independent of the Rust code.
// Prints one line per state and mode: "state=free|contact mode=serial|overlapped evaluations=.. ns_per_rhs=.. delta=.. checksum=..";
//   best of 5, CPU time. serial: each state depends on the last accelerations, as in an integrator; overlapped: the processor may start
//   the next evaluation before the last one has ended.
// build: g++ -O3 -march=native -o b3_rhs b3_rhs.cpp
#include "b3_model.hpp"
#include "cputime.hpp"
#include <algorithm>
#include <cstdio>

static constexpr int COUNT = 200000, REPEATS = 5;

template <bool SERIAL> static void measure(int contact) {
  B3<double> m;
  m.ivm = 1 / 0.1; // impact speed 0.1 m/s
  const double t0 = 0.01;
  // rod at its ideal angle, journal off the bearing centre by 0.4 c (free) or c + 2 micrometres (contact), along -x
  const double phi = -std::asin(m.a * std::sin(m.om * t0) / m.L);
  const double gap = contact ? m.c + 2e-6 : 0.4 * m.c;
  const double y0[4] = {phi, m.a * std::cos(m.om * t0) + m.L * std::cos(phi) - gap, -3.4, -0.22};
  double dd, best = 1e9, sum = 0;
  const double delta = m.delta(t0, y0, dd);
  for (int r = 0; r < REPEATS; r++) {
    double y[4] = {y0[0], y0[1], y0[2], y0[3]}, f[4], t = t0;
    sum = 0;
    const double start = now_();
    for (int i = 0; i < COUNT; i++) { // the state moves by less than a nanometre in all
      m.rhs(t, y, f, contact);
      sum += f[2] + f[3];
      t += 1e-15; y[0] += 1e-16; y[1] += 1e-16; y[2] += 1e-15; y[3] += 1e-15;
      if (SERIAL) { y[0] += 1e-17 * f[2]; y[1] += 1e-17 * f[3]; }
    }
    best = std::min(best, now_() - start);
  }
  std::printf("state=%s mode=%s evaluations=%d ns_per_rhs=%.2f delta=%.6e checksum=%.12e\n", contact ? "contact" : "free", SERIAL ? "serial" : "overlapped", COUNT,
              best / COUNT * 1e9, delta, sum);
}

int main() {
  for (int contact = 0; contact < 2; contact++) { measure<true>(contact); measure<false>(contact); }
}
