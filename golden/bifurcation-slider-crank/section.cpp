// The slider-crank with friction in its clearance joint, looked at once in each turn of the crank: e_x/c, e_y/c and the speed of the
// slider. Run: section MU CLEARANCE TURNS TOLERANCE. The integrator and the mechanism are those of ../mechanisms-laws.
#include <cstdio>
#include <cstdlib>
#include "../mechanisms-laws/integrate.hpp"

int main(int argc, char** argv) {
    if (argc != 5) return fprintf(stderr, "section MU CLEARANCE TURNS TOLERANCE\n"), 2;
    Setup s;
    s.elastic = "hertz"; s.damping = "exact"; s.friction = "coulomb-tanh";
    real c = strtold(argv[2], nullptr);
    s.p = {{"restitution", 0.46L}, {"mu", strtold(argv[1], nullptr)}, {"slip_speed", 10e-3L}, {"clearance", c}};
    SliderCrank mech(s);
    Run run(mech, strtold(argv[4], nullptr), 0);
    for (int turn = 1; turn <= atoi(argv[3]); turn++) {
        run.steps = 0;
        run.go(turn * 0.3L, 1e-3L, {}, [](real) {});
        if (!run.trouble.empty()) return fprintf(stderr, "%s\n", run.trouble.c_str()), 1;
        real ey = -mech.r * sinl(mech.w * run.t) - mech.l * sinl(run.y[0]);
        printf("%d,%.15Le,%.15Le,%.15Le\n", turn, mech.offset(run.t, &run.y[0]) / c, ey / c, run.y[2 + 1]);
        fflush(stdout);
    }
}
