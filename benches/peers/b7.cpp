// Provenance: benchmark set B7 of the project, written for it.
// B7: chain of N links, every joint with clearance. usage: b7 dop|radau N TEND RTOL [reps=R] [dt=DT] [states=FILE] [imp=FILE] [sep=0|1] [onset=F] [thet=X] [hmax=X]
#include "b7_dop.hpp"
#include "b7_radau.hpp"
#include <string>
#include <map>
int main(int argc, char **argv) {
  if (argc < 5) { puts("usage: b7 dop|radau|jaccheck N TEND RTOL [reps= dt= states= imp= sep= onset= thet= hmax=]"); return 1; }
  std::string meth = argv[1]; int N = atoi(argv[2]); double tend = atof(argv[3]), rtol = atof(argv[4]); std::map<std::string, std::string> o; for (int i = 5; i < argc; i++) { std::string s = argv[i]; auto p = s.find('='); o[s.substr(0, p)] = s.substr(p + 1); }
  auto num = [&](const char *k, double d) { return o.count(k) ? atof(o[k].c_str()) : d; }; int reps = num("reps", 1); double dt = num("dt", 0.01);
  if (meth == "jaccheck") { Chain c(N); std::vector<double> y(c.n), f0(c.n), f1(c.n); c.init(y.data()); srand(1); for (int i = 0; i < c.n; i++) y[i] += (i % 6 < 2 ? 1e-7 : i % 6 == 2 ? .3 : 1e-2) * (rand() / double(RAND_MAX) - .5); 
    double bx = 0, by = 0; for (int i = 0; i < N; i++) { double *p = &y[6 * i]; double th = rand(); p[0] = bx + (1e-4 + 3e-7) * cos(th) + .05 * cos(p[2]); p[1] = by + (1e-4 + 3e-7) * sin(th) + .05 * sin(p[2]); bx = p[0] + .05 * cos(p[2]); by = p[1] + .05 * sin(p[2]); c.touch[i] = i % 5 != 3; c.vi[i] = 0.05; c.av[i] = c.a / .05; }
    c.jac(y.data()); double worst = 0; const double M[3] = {c.m, c.m, c.J}; for (int j = 0; j < c.n; j++) { double e = j % 6 < 3 ? 1e-10 : 1e-6; auto y2 = y; y2[j] += e; c.rhs(y2.data(), f1.data()); y2[j] -= 2 * e; c.rhs(y2.data(), f0.data()); int lj = j / 6, kj = j % 6; for (int i = 0; i < N; i++) for (int r = 0; r < 3; r++) { double num = M[r] * (f1[6 * i + 3 + r] - f0[6 * i + 3 + r]) / (2 * e), an = 0; const Chain::Blk *b = i == lj ? &c.Jd[i] : i == lj + 1 ? &c.Jl[i] : i == lj - 1 ? &c.Ju[i] : nullptr; if (b) an = kj < 3 ? b->k[3 * r + kj] : b->d[3 * r + kj - 3]; double sc = kj < 3 ? 1e8 : 1e3; worst = std::max(worst, std::fabs(num - an) / sc); } } printf("jac worst scaled difference %.2e\n", worst); return 0; }
  double best = 1e99; 
  for (int r = 0; r < reps; r++) { Chain c(N); c.vfloor = num("vfloor", 1e-6); c.seed = num("seed", 0); Sampler s(dt, c.n); Stats st; std::vector<double> ye; double t0 = now_();
    if (meth == "dop") { Dop d(c, rtol); d.locate_sep = num("sep", 1); d.hmax = num("hmax", 1e9); d.beta = num("beta", 0); d.run(tend, s); st = d.st; ye = d.yend; } else if (meth == "auto") { Dop a(c, rtol); Radau b(c, rtol * num("loose", 1)); a.watch = b.watch = true; b.onset_fraction = num("onset", 0.1); a.ratio = num("up", 3.3); b.ratio = num("down", 2); unsigned long sw = 0; double tr = 0;
      for (;;) { a.run(tend, s); if (a.t >= tend) break; sw++; b.y = a.y; b.t = a.t; b.h = a.h; b.started = true; double t1 = b.t; b.run(tend, s); tr += b.t - t1; if (b.t >= tend) { a.y = b.y; break; } sw++; a.y = b.y; a.t = b.t; a.h = b.h; }
      ye = a.y; st = b.st; st.acc += a.st.acc; st.rej += a.st.rej; st.ev += a.st.ev; st.relo += a.st.relo; st.switches = sw; if (r + 1 == reps) printf("[auto: dop steps %lu radau steps %lu, %.0f%% of time in radau] ", a.st.acc, b.st.acc, 100 * tr / tend); } else { Radau d(c, rtol); d.locate_sep = num("sep", 0); d.onset_fraction = num("onset", 0.1); d.thet = num("thet", 1e-3); d.hmax = num("hmax", 1e9); d.fnewt_user = num("fnewt", 0); d.run(tend, s); st = d.st; ye = d.yend; }
    best = std::min(best, now_() - t0); if (r + 1 < reps) continue;
    int v3 = 0, v4 = 0, v5 = 0; for (auto &i : c.imp) { v3 += i.v < 1e-3; v4 += i.v < 1e-4; v5 += i.v < 1e-5; } double kin, E = c.energy(ye.data(), &kin), dmax = 0; c.gaps(ye.data(), c.del.data(), c.deld.data()); for (double d : c.del) dmax = std::max(dmax, d);
    printf("%s N=%d t=%g rtol=%g cpu %.5f acc %lu rej %lu (newton %lu) sw %lu evals %lu events %lu restep %lu jac %lu lu %lu newton %lu ns/eval/link %.1f | impacts %zu (<1e-3 %d <1e-4 %d <1e-5 %d) sep %lu swept %lu maxdelta %.1e E_lost %.6e kin %.4e\n", meth.c_str(), N, tend, rtol, best, st.acc, st.rej, st.nfail, st.switches, c.nrhs, st.ev, st.relo, c.njac, st.lu, st.newton, best * 1e9 / c.nrhs / N, c.imp.size(), v3, v4, v5, c.nsep, c.swept, dmax, -E, kin);
    if (o.count("states")) dump(o["states"].c_str(), s); if (o.count("imp")) { FILE *f = fopen(o["imp"].c_str(), "w"); for (auto &i : c.imp) fprintf(f, "%.15e %d %.12e\n", i.t, i.j, i.v); fclose(f); } }
}
