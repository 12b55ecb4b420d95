// Provenance: benchmark set B3 of the project (shared/peers), copied without change below this line.
// B3 native peer: hand-written DOPRI5(4) (FSAL, Hairer controller), minimal coordinates.
// usage: b3_dopri mode rtol tend nout reps [outfile]   mode: noevent | event | ref (long double + events)
#include "b3_dopri.hpp"
#include "cputime.hpp"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <algorithm>
template <class T> int go(bool ev, double rtol, double tend, int nout, int reps, const char *of) {
  B3Par p; if (getenv("B3_RPM")) p.om = atof(getenv("B3_RPM")) * 2 * M_PI / 60; if (getenv("B3_C")) p.c = atof(getenv("B3_C")); if (getenv("B3_CR")) p.cr = atof(getenv("B3_CR"));
  std::vector<T> out; double best = 1e9; unsigned long nr = 0, na = 0, nj = 0, ne = 0;
  for (int r = 0; r < reps; r++) {
    Dopri<T> d(p, T(rtol), ev); auto t0 = now_();
    d.run(T(tend), nout, out);
    double el = (now_() - t0);
    best = std::min(best, el); nr = d.m.nrhs; na = d.nacc; nj = d.nrej; ne = d.nev;
  }
  printf("rtol=%g cpu_ms=%.4f nrhs=%lu nacc=%lu nrej=%lu nev=%lu ns_per_rhs=%.1f x_end=%.12Lf v_end=%.12Lf\n", rtol, best * 1e3, nr, na, nj, ne,
         best * 1e9 / nr, (long double)out[out.size() - 3], (long double)out[out.size() - 1]);
  if (of) { FILE *f = fopen(of, "w"); for (size_t i = 0; i < out.size(); i += 5) fprintf(f, "%.6Lf %.18Le %.18Le %.18Le %.18Le\n", (long double)out[i], (long double)out[i+1], (long double)out[i+2], (long double)out[i+3], (long double)out[i+4]); fclose(f); }
  return 0;
}
int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "event"; double rtol = argc > 2 ? atof(argv[2]) : 1e-8, tend = argc > 3 ? atof(argv[3]) : 0.6;
  int nout = argc > 4 ? atoi(argv[4]) : 60, reps = argc > 5 ? atoi(argv[5]) : 3; const char *of = argc > 6 ? argv[6] : nullptr;
  if (mode == "ref") return go<long double>(true, rtol, tend, nout, reps, of);
  return go<double>(mode == "event", rtol, tend, nout, reps, of);
}
