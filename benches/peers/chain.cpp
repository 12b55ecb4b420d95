// B5 native peer: chain of N uniform rods (1 m, 1 kg), O(N) articulated recursion written for this chain only (lower limit).
// Problem: horizontal, hinged at the origin, released from rest, gravity 9.81 in -y; relative angles and rates as state.
// Provenance: written for this benchmark set, own derivation (see the comments); independent of the Rust code.
//   Reference angles of link 1: golden/mechanisms-b5-chain (40-digit arithmetic).
// Prints "n=.. ns_per_rhs=.. ns_per_rhs_and_body=.. checksum=.." (best of 5, CPU time) and
//   "n=.. method=dop853 tol=.. t=.. angle1=.. error=.. evaluations=.. accepted=.. rejected=.. cpu_ms=.. us_per_step_and_body=.."; the error is that of angle 1, absolute.
// build: g++ -O3 -march=native -o chain chain.cpp
#include "cputime.hpp"
#include "ode.hpp"
#include <cstdio>

// A rod with hinge O, centre at d/2, far end at d; hinge acceleration a (gravity as upward acceleration of the ground).
// The force that moves the rod and all behind it is f = A a + b.  With the next rod's (A, b), p = d turned by 90 degrees:
//   b' = b - w^2 A d,  U = p/2 + A p,  D = 1/3 + p.A p,  angular acceleration = -(U.a + p.b')/D,
//   A <- 1 + A - U U^T/D,  b <- b' - w^2 d/2 - U (p.b')/D.
struct Chain {
  int n;
  struct Link { double c, s, w2, ux, uy, up, inv; };
  std::vector<Link> link;
  explicit Chain(int count) : n(count), link(count) {}
  void operator()(double, const double *y, double *f) {
    const double *v = y + n;
    double q = 0, w = 0;
    for (int i = 0; i < n; i++) { q += y[i]; w += v[i]; link[i].c = std::cos(q); link[i].s = std::sin(q); link[i].w2 = w * w; }
    double axx = 0, axy = 0, ayy = 0, bx = 0, by = 0;
    for (int i = n - 1; i >= 0; i--) {
      Link &l = link[i];
      const double c = l.c, s = l.s, w2 = l.w2; // d = (c, s), p = (-s, c)
      bx -= w2 * (axx * c + axy * s); by -= w2 * (axy * c + ayy * s);
      const double tx = -axx * s + axy * c, ty = -axy * s + ayy * c; // A p
      const double ux = tx - 0.5 * s, uy = ty + 0.5 * c, inv = 1 / (1.0 / 3 - s * tx + c * ty), up = -s * bx + c * by;
      l.ux = ux; l.uy = uy; l.up = up; l.inv = inv;
      axx += 1 - ux * ux * inv; axy -= ux * uy * inv; ayy += 1 - uy * uy * inv;
      bx -= 0.5 * w2 * c + ux * up * inv; by -= 0.5 * w2 * s + uy * up * inv;
    }
    double ax = 0, ay = 9.81, old = 0;
    for (int i = 0; i < n; i++) {
      const Link &l = link[i];
      const double alpha = -(l.ux * ax + l.uy * ay + l.up) * l.inv;
      f[i] = v[i]; f[n + i] = alpha - old; old = alpha;
      ax += -alpha * l.s - l.w2 * l.c; ay += alpha * l.c - l.w2 * l.s;
    }
  }
};

int main() {
  struct { int n; double t, angle; } cases[] = {{10, 0.2, -0.21565759327222503}, {100, 0.2, -0.14373733752834806}, {1000, 0.05, -0.014338201609718654}};
  for (auto &k : cases) {
    Chain chain(k.n);
    std::vector<double> y(2 * k.n), f(2 * k.n);
    const int count = std::max(200, 2000000 / k.n);
    double best = 1e9, sum = 0;
    for (int r = 0; r < 5; r++) {
      for (int i = 0; i < k.n; i++) { y[i] = 0.01 * std::sin(1 + i); y[k.n + i] = 0.1 * std::cos(2 + i); }
      sum = 0;
      const double t0 = now_();
      for (int i = 0; i < count; i++) { chain(0, y.data(), f.data()); sum += f[k.n]; y[0] += 1e-12 * f[k.n]; y[k.n - 1] += 1e-12 * f[2 * k.n - 1]; }
      best = std::min(best, (now_() - t0) / count);
    }
    std::printf("n=%d ns_per_rhs=%.1f ns_per_rhs_and_body=%.2f checksum=%.9e\n", k.n, best * 1e9, best * 1e9 / k.n, sum);
    for (double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      double time = 1e9, angle = 0; long n = 0, acc = 0, rej = 0;
      for (int r = 0; r < 3; r++) {
        Rk<0> solver(2 * k.n);
        std::fill(y.begin(), y.end(), 0.0);
        const double t0 = now_();
        solver.dop853(chain, 0, k.t, y.data(), tol, tol);
        time = std::min(time, now_() - t0); angle = y[0]; n = solver.evaluations; acc = solver.accepted; rej = solver.rejected;
      }
      std::printf("n=%d method=dop853 tol=%.0e t=%g angle1=%.14f error=%.2e evaluations=%ld accepted=%ld rejected=%ld cpu_ms=%.4f us_per_step_and_body=%.4f\n", k.n, tol, k.t, angle,
                  std::fabs(angle - k.angle), n, acc, rej, time * 1e3, time * 1e6 / (acc + rej) / k.n);
    }
  }
}
