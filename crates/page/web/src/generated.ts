// The data that the program writes into the page, and the requests of the page to its engine, generated from the Rust types by
// `JOINTPLAY_BLESS=1 cargo test -p jointplay-page types`; do not edit.

/**
 * A spectrum or a section of series of the page. [`Ref`]s are to the numbers of the request.
 */
export type AnalysisRequest = { "kind": "spectrum", times: Ref, values: Ref, span: [number, number],
/**
 * Time between samples (s), which decides how fine the spectrum is.
 */
interval: number, } | { "kind": "stroboscope", times: Ref, x: Ref, y: Ref, span: [number, number], at: Stroboscope, } | { "kind": "crossing", times: Ref, x: Ref, y: Ref, span: [number, number], through: Ref, level: number, };

export type AxisRequest = { label: string, unit: string, log: boolean, limits: [number, number] | null, };

/**
 * Length and height of a block (m).
 */
export type BlockSize = {
/**
 * Along the guide.
 */
length: number,
/**
 * Across it.
 */
height: number, };

/**
 * A shape in the frame of a body.
 */
export type BodyShape = { "type": "link", points: Array<[number, number]>, } | { "type": "block", centre: [number, number], direction: [number, number], length: number, height: number, } | { "type": "disc", centre: [number, number], radius: number, };

export type BodyView = { name: string, fixed: boolean, x: Ref, y: Ref, angle: Ref, shapes: Array<BodyShape>, };

/**
 * The data that the script of the page reads first.
 */
export type Boot = { kind: PageKind, title: string, program: PageProgram, models: Array<ModelFile>,
/**
 * The recorded runs; their data follow in blocks of their own.
 */
runs: Array<RunName>,
/**
 * The laws to choose from.
 */
catalogue: Array<CatalogueEntry>, };

/**
 * The capability of a metric, with intervals of 95 % for normal samples.
 */
export type Capability = {
/**
 * The lower limit (SI): the greatest of those that are given.
 */
lower: number | null,
/**
 * The upper limit (SI): the least of those that are given.
 */
upper: number | null,
/**
 * C_p, the distance of the limits over six standard deviations; `None` without two limits.
 */
cp: number | null,
/**
 * Lower end of its interval, by the distribution of χ².
 */
cp_low: number | null,
/**
 * Upper end.
 */
cp_high: number | null,
/**
 * C_pk, the distance of the mean from the nearer limit over three standard deviations.
 */
cpk: number,
/**
 * Lower end of its interval (Bissell 1990).
 */
cpk_low: number,
/**
 * Upper end.
 */
cpk_high: number, };

export type CatalogueEntry = { id: string, title: string, family: Family, summary: string, };

export type ChannelView = { name: string, unit: string, values: Ref, preset: boolean, };

/**
 * A bound of a data sheet, compared with what happened in a joint.
 */
export type Check = {
/**
 * Id of the law; `None` for a user's own elastic law.
 */
law: string | null,
/**
 * The bounded quantity.
 */
quantity: Quantity,
/**
 * Lower and upper bound; `None` if there is none.
 */
limits: [number | null, number | null],
/**
 * The most extreme value; `None` if it could not be checked.
 */
value: number | null,
/**
 * The fraction of `of` that was outside the bound, from 0 to 1.
 */
share: number,
/**
 * What `share` is a fraction of.
 */
of: Whole,
/**
 * Why the bound could not be checked; `None` if it was.
 */
unchecked: string | null, };

/**
 * A bound of the sheet, compared with a joint.
 */
export type CheckView = { joint: string, verdict: Verdict, text: string, };

export type ColumnView = { name: string,
/**
 * The different texts of a column of texts, whose values are their places in this list.
 */
words: Array<string> | null,
/**
 * NaN for an empty cell.
 */
values: Ref, };

/**
 * How far a channel is from its measurement, in SI.
 */
export type Comparison = {
/**
 * The root of the mean square of their difference.
 */
rmse: number | null,
/**
 * The same over the range of the data; `None` if they do not vary.
 */
nrmse: number | null,
/**
 * The greatest magnitude in the model minus that in the data.
 */
peak_error: number | null,
/**
 * The same over the greatest magnitude in the data.
 */
peak_error_relative: number | null,
/**
 * The angle between both signals, as vectors of their samples, over π (Sprague and Geers 2004): 0 where they are proportional,
 * 1/2 where they have nothing in common, 1 where one is minus the other.
 */
phase_error: number | null,
/**
 * The time (s) by which the data lag behind the model: where the model is moved by it, their difference is least. `None` where
 * the data do not tell.
 */
shift: number | null,
/**
 * The root mean square of the remaining difference.
 */
rmse_shifted: number | null,
/**
 * The number of samples that were compared.
 */
samples: number,
/**
 * The SI unit of the channel.
 */
unit: string, };

/**
 * A clearance joint, contact or stop with its series.
 */
export type ContactView = { joint: string, form: GapForm, wall_body: number, pin_body: number,
/**
 * Its centre in the frame of its body.
 */
pin: [number, number], pin_radius: number,
/**
 * Radial for journal and slot, on each side for a block (m); 0 for the others.
 */
clearance: number, walls: Array<WallView>,
/**
 * Centre line in the frame of the wall's body.
 */
middle: Array<[number, number]>, block: BlockSize | null,
/**
 * Centre of the pin, or middle of the block, in the frame of the wall's body, and its angle
 * relative to that body.
 */
px: Ref, py: Ref, turn: Ref,
/**
 * For a slot or a guide: position of the pin along and across the centre line (m).
 */
along: Ref | null, across: Ref | null, touch: TouchView, };

/**
 * Identifies a run: SHA-256 of everything that affects its result, in hexadecimal digits.
 *
 * That is the content of the model with its changes, however it is written, the contents of its tables, and the sources of
 * the engine. Cases with the same digest give the same bits.
 */
export type Digest = string;

/**
 * Moments and percentiles of a sample.
 */
export type Distributed = {
/**
 * How many numbers there are.
 */
count: number,
/**
 * How many runs have none.
 */
failed: number,
/**
 * Mean.
 */
mean: number | null,
/**
 * Standard deviation, with n − 1.
 */
std: number | null,
/**
 * Least number.
 */
min: number | null,
/**
 * Greatest number.
 */
max: number | null,
/**
 * 5 % of the numbers lie below.
 */
p05: number | null,
/**
 * 25 % of the numbers lie below.
 */
p25: number | null,
/**
 * Half of the numbers lie below.
 */
p50: number | null,
/**
 * 75 % of the numbers lie below.
 */
p75: number | null,
/**
 * 95 % of the numbers lie below.
 */
p95: number | null, };

/**
 * What a driver prescribes.
 */
export type DriverKind = "angle" | "length";

export type DriverView = { name: string, a: Place | null, kind: DriverKind, effort: Ref, };

/**
 * Elementary effects of an input: the change of the result over the change of the input, which goes from 0 to 1 over its range.
 */
export type Effects = {
/**
 * Mean.
 */
mu: number | null,
/**
 * Mean of the magnitudes: how much the input matters.
 */
mu_star: number | null,
/**
 * Standard deviation: whether its effect depends on the others, or on itself.
 */
sigma: number | null, };

/**
 * Why a run ended, in one word.
 */
export type Ending = "reached-end" | "stopped" | "interrupted" | "failed";

/**
 * How often a limit is exceeded.
 */
export type Exceeded = {
/**
 * Runs beyond the limit.
 */
count: number,
/**
 * All runs that have the metric.
 */
of: number,
/**
 * Their ratio.
 */
probability: number,
/**
 * Lower end of its interval of 95 % (Wilson).
 */
low: number,
/**
 * Upper end.
 */
high: number,
/**
 * Process capability on the side of this limit: its distance from the mean over three standard deviations.
 */
capability: number | null, };

/**
 * The family of a law; ids are unique over all families.
 */
export type Family = "point" | "cylinder" | "damping" | "plastic" | "friction";

/**
 * A figure of the page in the style of all figures.
 */
export type FigureRequest = { title: string, x: AxisRequest, y: AxisRequest, series: Array<SeriesRequest>, width: number, height: number, equal: boolean, format: Format, };

/**
 * What a study found out.
 */
export type Findings = {
/**
 * The kind of study.
 */
kind: StudyKind,
/**
 * The name of the model.
 */
model: string,
/**
 * Identifies the model with the changes that all runs share.
 */
digest: Digest,
/**
 * The number of points of the study.
 */
points: number,
/**
 * How many of them were run.
 */
runs: number,
/**
 * How many runs have no result.
 */
failed: number,
/**
 * What chose the random numbers.
 */
seed: number,
/**
 * The table of the runs.
 */
table: string,
/**
 * The points of the section of a bifurcation diagram.
 */
section?: string | null,
/**
 * Its spectra.
 */
spectra?: string | null,
/**
 * The points of a sweep with repeats: means with their scatter.
 */
points_table?: string | null,
/**
 * Of each metric of a sweep with repeats: the fraction of all pairs of points whose means differ by no more than scatter explains.
 */
indistinguishable?: { [key in string]: number },
/**
 * What is varied.
 */
keys: Array<string>,
/**
 * What is measured, in the order of the request.
 */
measured: Array<string>,
/**
 * The SI units of the keys and metrics, as far as they are known; `-` for pure numbers.
 */
units?: { [key in string]: string },
/**
 * How each metric spreads over the runs.
 */
metrics: { [key in string]: Distributed },
/**
 * How often limits are exceeded.
 */
limits?: Array<LimitFinding>,
/**
 * Process capability of each metric that has limits.
 */
capability?: { [key in string]: Capability },
/**
 * Fits by their keys.
 */
fits?: { [key in string]: FitFinding },
/**
 * The worst value of each metric, and where it was found: the one that is nearest to a limit, or farthest beyond it; without limits the greatest.
 */
worst?: { [key in string]: Worst },
/**
 * Complete samples of a sensitivity study, by metric.
 */
samples_used?: { [key in string]: number },
/**
 * Indices of Sobol', by metric and key.
 */
indices?: { [key in string]: { [key in string]: Indices } },
/**
 * Elementary effects, by metric and key.
 */
effects?: { [key in string]: { [key in string]: Effects } },
/**
 * What each key does alone, by metric and key.
 */
swings?: { [key in string]: { [key in string]: Swing } },
/**
 * How many motions of each class a bifurcation diagram has.
 */
classes?: { [key in string]: number },
/**
 * What to know before trusting the numbers: warnings of the runs, each kind once, and of the study itself.
 */
warnings?: Array<StudyWarning>, };

/**
 * A fit.
 */
export type FitFinding = {
/**
 * As it was typed.
 */
fit: string,
/**
 * Least and greatest clearance on the diameter (m).
 */
clearance: [number, number],
/**
 * The probability of no clearance, if all sizes of both zones are equally likely.
 */
without_clearance: number, };

/**
 * The `kind` of a joint, named as in a file.
 */
export type FitKind = "ideal" | "bushing" | "clearance";

/**
 * The form in which a force element is drawn.
 */
export type ForceForm = "spring" | "torsion-spring" | "load" | "torque" | "bushing";

export type ForceView = { name: string, type: ForceForm, a: Place | null, b: Place | null, fx: Ref | null, fy: Ref | null, moment: Ref | null, };

/**
 * The form of a number.
 */
export type Form = "count" | { "quantity": string } | "ratio" | "share";

export type Format = "svg" | "png";

/**
 * The form in which the gap of a clearance joint, contact or stop is drawn.
 */
export type GapForm = "journal" | "slot" | "block" | "external" | "stop";

/**
 * What the data say about a model.
 */
export type Identified = {
/**
 * The law that fits best, if laws were ranked.
 */
law?: string | null,
/**
 * The values that fit best, by key.
 */
parameters: { [key in string]: ParameterFinding },
/**
 * The root of the mean square of all residuals (SI).
 */
rmse: number | null,
/**
 * The time (s) by which the data lag behind the model, if it was fitted.
 */
shift?: ParameterFinding | null,
/**
 * Correlation of the fitted values, by key and key; the shift is `shift`.
 */
correlation: { [key in string]: { [key in string]: number | null } },
/**
 * How far each channel is from its data.
 */
comparison: { [key in string]: Comparison },
/**
 * The laws, best first.
 */
ranking?: Array<LawFinding>,
/**
 * The kind of noise that the residuals of each channel look like: `white`, `filtered` or `correlated`.
 */
noise: { [key in string]: string },
/**
 * The number of samples that were compared.
 */
samples: number,
/**
 * How many independent ones tell as much.
 */
effective_samples: number | null,
/**
 * What to know before believing the numbers.
 */
notes: Array<string>, };

/**
 * A row of the impact table, with the flags that the page marks.
 */
export type ImpactView = { mode: JointMode, open: boolean, peak_time: number,
/**
 * Name of the joint.
 */
joint: string,
/**
 * Region; `flat 1 > end 1` if the contact passed from one to the other.
 */
region: string,
/**
 * Start (s).
 */
start: number,
/**
 * End (s); the end of the run for an episode that is not over by then.
 */
end: number,
/**
 * δ̇₀ (m/s).
 */
impact_speed: number,
/**
 * δ_max (m).
 */
max_indentation: number,
/**
 * Peak normal force (N).
 */
max_force: number,
/**
 * How long it lasted (s).
 */
duration: number,
/**
 * Impulse of the normal force (N s).
 */
impulse: number,
/**
 * e_N = −δ̇(end)/δ̇₀ of an impact; empty for continuous contact and for episodes that were under way when the run began
 * or ended.
 */
restitution: number | null,
/**
 * Energy lost in normal direction (J).
 */
loss_normal: number,
/**
 * Energy lost in sliding (J).
 */
loss_friction: number,
/**
 * Fraction of its time outside the domain of the law.
 */
out_of_domain: number,
/**
 * Restitution of an impact at this speed under the same law if no other force acts; empty if `restitution` is.
 */
free_restitution: number | null, };

/**
 * Fractions of the variance of a result that an input causes, with their intervals of 95 %.
 */
export type Indices = {
/**
 * Alone.
 */
first: number | null,
/**
 * Lower end of its interval.
 */
first_low: number | null,
/**
 * Upper end.
 */
first_high: number | null,
/**
 * Alone and together with all others.
 */
total: number | null,
/**
 * Lower end of its interval.
 */
total_low: number | null,
/**
 * Upper end.
 */
total_high: number | null, };

/**
 * The type of a joint, named as in a file.
 */
export type JointForm = "revolute" | "slot" | "prismatic" | "weld" | "rod";

/**
 * What a joint does at a time.
 */
export type JointMode = "free-flight" | "impact" | "continuous-contact";

/**
 * The names of a statistic, and the tables that show it.
 */
export type JointNumber = {
/**
 * Its name in files and, after that of the joint, in metrics.
 */
key: Exclude<keyof JointSummary, "domain">,
/**
 * Its name in the head of a table.
 */
label: string,
/**
 * Its long name.
 */
title: string,
/**
 * What it is, in a sentence.
 */
meaning: string,
/**
 * Its form.
 */
form: Form,
/**
 * The tables that show it.
 */
tables: Array<JointTable>, };

/**
 * Statistics of a clearance joint. A value that is not defined or not finite is `None`, and `null` in a file.
 * [`JointStatistic`] has their names, units and tables.
 */
export type JointSummary = {
/**
 * Contact episodes, open ones included.
 */
impacts: number,
/**
 * Episodes that were not over when the run ended.
 */
open: number,
/**
 * Start of the first episode (s).
 */
first_impact_time: number | null,
/**
 * Its impact speed (m/s).
 */
first_impact_speed: number | null,
/**
 * Greatest impact speed (m/s).
 */
max_impact_speed: number | null,
/**
 * Greatest normal force of one contact (N).
 */
peak_force: number | null,
/**
 * When it was reached (s).
 */
peak_force_time: number | null,
/**
 * Greatest indentation (m).
 */
max_indentation: number | null,
/**
 * Duration of the longest finished impact (s).
 */
max_impact_duration: number | null,
/**
 * Mean duration of the finished impacts (s).
 */
mean_impact_duration: number | null,
/**
 * Specified restitution, mean of the finished impacts.
 */
restitution_in: number | null,
/**
 * Restitution of free impacts at the same speeds under the same law, mean of the finished impacts.
 */
restitution_free: number | null,
/**
 * Actual restitution, mean of the finished impacts.
 */
restitution_out: number | null,
/**
 * Fraction of the time with any contact.
 */
contact_fraction: number | null,
/**
 * Fraction of the time in impacts.
 */
impact_fraction: number | null,
/**
 * Fraction of the time in continuous contact.
 */
continuous_fraction: number | null,
/**
 * Energy lost along the normal (J).
 */
loss_normal: number | null,
/**
 * Energy lost in sliding (J).
 */
loss_friction: number | null,
/**
 * The sum of both (J).
 */
loss: number | null,
/**
 * Energy added at seams between sections with different laws (J); the channel `energy.seam` has the opposite sign.
 */
seam_energy: number | null,
/**
 * Fraction of the contact time outside the domain of the law.
 */
out_of_domain: number | null,
/**
 * The bounds of the data sheets, compared with what happened in the joint.
 */
domain: Array<Check>, };

/**
 * A table of joints.
 */
export type JointTable = "run" | "laws" | "laws-file" | "scatter" | "card" | "runs" | "what-if";

export type JointView = { name: string, type: JointForm, kind: FitKind, a: Place, b: Place,
/**
 * Force of a on b in the world (N).
 */
fx: Ref | null, fy: Ref | null, };

/**
 * The value of a key.
 */
export type KeyValue = number | string;

/**
 * One number that can be varied.
 *
 * ```
 * # use jointplay_model::{Model, Overrides};
 * # let text = jointplay_models::SLIDER_CRANK;
 * let model = Model::parse(text, &Overrides::new())?;
 * let knob = &model.knobs()[0];
 * assert_eq!((knob.label.as_str(), knob.unit.as_str()), ("pin clearance", "m"));
 * assert!((knob.value - 0.25e-3).abs() < 1e-15);
 * let wider = Overrides::new().set(&knob.key, knob.written(0.5e-3));
 * assert!((Model::parse(text, &wider)?.knobs()[0].value - 0.5e-3).abs() < 1e-15);
 * # Ok::<(), jointplay_model::Diagnostics>(())
 * ```
 */
export type Knob = {
/**
 * Label, such as `pin clearance`.
 */
label: string,
/**
 * The joint, contact or stop that it belongs to, or the array of them.
 */
joint: string | null,
/**
 * What it changes.
 */
what: KnobQuantity,
/**
 * Unit of value and range, `-` for a pure number.
 */
unit: string,
/**
 * Its present value.
 */
value: number,
/**
 * The range in which it may be varied while the other knobs stay as they are; the value lies inside.
 */
range: [number, number],
/**
 * Whether its scale should be logarithmic.
 */
log: boolean,
/**
 * The key of the file that it sets, for [`Overrides::set`](crate::Overrides::set).
 */
key: string,
/**
 * The value [`written`](Self::written) when the knob is at 0.
 */
offset: number,
/**
 * How much that value increases per unit of the knob.
 */
factor: number,
/**
 * The unit in which it is written; empty for a plain number.
 */
suffix: string, };

/**
 * What a knob changes.
 */
export type KnobQuantity = "parameter" | "clearance" | "restitution" | "friction" | "speed";

/**
 * A law with its best values.
 */
export type LawFinding = {
/**
 * The law.
 */
law: string,
/**
 * The root of the mean square of the residuals (SI).
 */
rmse: number | null,
/**
 * Akaike's criterion for small samples, with the effective number of samples.
 */
aicc: number | null,
/**
 * How much greater that is than the least.
 */
delta: number | null,
/**
 * The weight of the law after Akaike: how the data distribute belief among these laws.
 */
weight: number | null,
/**
 * Whether noise alone may have put it behind the first, or ahead of the others.
 */
indistinguishable: boolean,
/**
 * The best values.
 */
parameters: { [key in string]: ParameterFinding }, };

/**
 * A limit of a metric.
 */
export type Limit = {
/**
 * The metric, as it was typed.
 */
metric: string,
/**
 * Whether the metric must stay below the limit, rather than above it.
 */
upper: boolean,
/**
 * The limit in SI.
 */
value: number, };

/**
 * A limit, and how often it is exceeded.
 */
export type LimitFinding = Limit & Partial<Exceeded>;

/**
 * A row of `modes.csv`.
 */
export type ModeRow = {
/**
 * Name of the joint.
 */
joint: string,
/**
 * Start (s).
 */
start: number,
/**
 * End (s).
 */
end: number,
/**
 * The mode.
 */
mode: JointMode, };

/**
 * A model file that a page can run.
 */
export type ModelFile = {
/**
 * Its name, such as `slider-crank`.
 */
name: string,
/**
 * A short description, for lists.
 */
title: string,
/**
 * The text of the file.
 */
text: string,
/**
 * The tables that it refers to, by name.
 */
tables: { [key in string]: string }, };

export type ModelView = { name: string, description: string | null, digest: Digest, changes: Array<string>, text: string, };

/**
 * What was found.
 */
export type Optimum = {
/**
 * The best values (SI) by key.
 */
best: { [key in string]: number },
/**
 * The metric there; with repeats the mean of runs from starts that the search has not seen.
 */
objective: number | null,
/**
 * The lower end of the interval of 95 % of that mean.
 */
objective_low?: number | null,
/**
 * The upper end.
 */
objective_high?: number | null,
/**
 * The metric that was minimised or maximised.
 */
metric: string,
/**
 * Whether it was maximised.
 */
maximise: boolean,
/**
 * The standard deviation of these runs.
 */
scatter?: number | null,
/**
 * How many other points, of those that were repeated, cannot be distinguished from the best one.
 */
alike?: number | null,
/**
 * Whether all constraints are met there.
 */
feasible: boolean,
/**
 * The metrics of the constraints there.
 */
constraints?: { [key in string]: number | null },
/**
 * What to know before trusting the numbers.
 */
notes: Array<string>, };

/**
 * The kind of a page.
 */
export type PageKind = "run" | "compare" | "playground" | "study";

export type PageProgram = { version: string, };

/**
 * A value that was fitted.
 */
export type ParameterFinding = {
/**
 * The best value (SI).
 */
value: number | null,
/**
 * Its standard error; `None` if the data say nothing about it.
 */
std: number | null,
/**
 * The lower end of its interval of 95 %, or its bound.
 */
low: number | null,
/**
 * The upper end.
 */
high: number | null,
/**
 * Whether the data determine it.
 */
identifiable: boolean,
/**
 * Whether the best value lies at a bound: a better one may lie beyond.
 */
at_bound: boolean, };

export type ParameterView = {
/**
 * The joint or region that has this value, if they differ.
 */
of: string, name: string, symbol: string, unit: string, value: number, };

export type Payload = { format: number, program: Program, model: ModelView, law: string, ideal: boolean, settings: Settings, summary: Summary, notes: Array<string>, span: [number, number], samples: number,
/**
 * Not decreasing; at an event two samples have the same time, before and after.
 */
times: Ref, channels: Array<ChannelView>, impacts: Array<ImpactView>, modes: Array<ModeRow>, sheets: Array<SheetView>, knobs: Array<Knob>,
/**
 * Period of a driver with constant speed (s).
 */
period: number | null, scene: Scene, };

/**
 * A place on a body.
 */
export type Place = { body: number, at: [number, number], direction: [number, number], };

/**
 * A problem as data, for programs and the page.
 */
export type ProblemData = {
/**
 * The file.
 */
file: string | null,
/**
 * Line, from 1; `None` for the file as a whole and for overrides.
 */
line: number | null,
/**
 * Column in characters, from 1.
 */
column: number | null,
/**
 * The line itself.
 */
source_line: string | null,
/**
 * The key; empty for the file as a whole.
 */
path: string,
/**
 * What is wrong.
 */
message: string,
/**
 * What to do about it.
 */
hint: string | null,
/**
 * The override that is at fault.
 */
set: string | null, };

export type Program = { name: string, version: string, };

/**
 * A bound of a data sheet.
 */
export type Quantity = "impact-speed" | "restitution" | "conformity" | "indentation" | "clearance" | "exponent";

export type RecordedRole = "recorded" | "ideal";

/**
 * Numbers `at … at + n` of the data.
 */
export type Ref = { at: number, n: number, };

/**
 * The answer to the page if a request is refused.
 */
export type RefusalView = {
/**
 * All of them as text.
 */
text: string,
/**
 * The file.
 */
file: string | null,
/**
 * The problems, in the order of the file.
 */
problems: Array<ProblemData>,
/**
 * Number of further problems that are not listed.
 */
omitted: number, };

export type RunName = { label: string, role: RecordedRole, };

/**
 * A model file with changes.
 */
export type RunRequest = {
/**
 * The name of the model.
 */
name: string,
/**
 * The text of the file.
 */
text: string,
/**
 * The tables that it refers to, by name.
 */
tables: { [key in string]: string },
/**
 * Keys to set and their values, as `--set`.
 */
sets: Array<[string, string]>,
/**
 * The law of every clearance joint and contact, as `--law`.
 */
law: string | null,
/**
 * Whether every clearance joint is ideal.
 */
ideal: boolean, };

/**
 * The scene of a run.
 */
export type Scene = { gravity: [number, number],
/**
 * xmin, ymin, xmax, ymax of everything drawn over the whole motion (m).
 */
bounds: [number, number, number, number],
/**
 * Characteristic length (m).
 */
size: number, bodies: Array<BodyView>, joints: Array<JointView>, contacts: Array<ContactView>, forces: Array<ForceView>, drivers: Array<DriverView>, };

/**
 * The points of a section.
 */
export type SectionAnswer = {
/**
 * Times (s).
 */
t: Ref, x: Ref, y: Ref, };

export type SeriesRequest = { label: string,
/**
 * `null` if there is no value.
 */
x: Array<number | null>, y: Array<number | null>, style: Style, color: number | null, };

/**
 * How a run was integrated and kept.
 */
export type Settings = {
/**
 * The end (s).
 */
until: number,
/**
 * The method of integration, as a model file names it.
 */
method: string,
/**
 * Relative tolerance.
 */
rtol: number,
/**
 * The coordinates, as a model file names them.
 */
formulation: string,
/**
 * Time between kept instants (s).
 */
interval: number, };

/**
 * A data sheet, with the values of its parameters in the model.
 */
export type SheetView = { id: string, title: string, family: string,
/**
 * MathML.
 */
formula: string, source: string, domain: string,
/**
 * Its numeric bounds, and how the run compares with them.
 */
bounds: Array<string>, checks: Array<CheckView>, notes: Array<string>, joints: Array<string>, parameters: Array<ParameterView>, };

/**
 * The lines of a spectrum, without the one at 0, which a logarithmic axis cannot show.
 */
export type SpectrumAnswer = {
/**
 * Frequencies (Hz).
 */
frequency: Ref,
/**
 * Amplitudes, in the unit of the channel.
 */
amplitude: Ref, };

/**
 * Once in each period.
 */
export type Stroboscope = {
/**
 * The period T (s).
 */
period: number,
/**
 * Phase as a fraction of the period: points lie at (k + phase) T.
 */
phase: number, };

/**
 * The kind of a study.
 */
export type StudyKind = "sweep" | "tolerance" | "sensitivity" | "bifurcation" | "optimise" | "identify";

/**
 * The contents of a study page.
 */
export type StudyView = { findings: Findings,
/**
 * The runs, or the points of a bifurcation diagram.
 */
table: TableView,
/**
 * The section of a bifurcation diagram.
 */
section: TableView | null,
/**
 * Its spectra.
 */
spectra: TableView | null,
/**
 * Means and scatter of a sweep with repeats.
 */
points: TableView | null,
/**
 * Measured data and model.
 */
overlay: TableView | null,
/**
 * Whether each run starts where the previous one ended.
 */
continued: boolean,
/**
 * If so, the state in which each row of the table started, as a file of the model; empty if
 * there are too many.
 */
starts: Array<string | null>, };

/**
 * A warning of a study: of some of its runs, or of the study itself.
 */
export type StudyWarning = {
/**
 * What it is; where numbers in it differ from run to run, those of the first.
 */
message: string,
/**
 * How many runs warn of it; `None` if it concerns the study itself.
 */
runs?: number | null,
/**
 * The first of these runs: its row in the table, from 1.
 */
first?: number | null, };

export type Style = "line" | "dashed" | "markers";

/**
 * The summary of a run. A value that is not defined or not finite is `None`, and `null` in a file.
 */
export type Summary = {
/**
 * Why it ended.
 */
outcome: Ending,
/**
 * The same as a sentence.
 */
message: string,
/**
 * The time reached (s).
 */
t_end: number | null,
/**
 * How long it took (s).
 */
wall_seconds: number | null,
/**
 * The coordinates that were integrated: `joint` or `absolute`. Empty in results of versions that did not record it.
 */
formulation: string,
/**
 * Accepted steps.
 */
steps: number,
/**
 * Those of them that were implicit because contact damping would have held down the steps of an explicit method.
 */
stiff_steps: number,
/**
 * Those of them that were implicit because nothing moved.
 */
resting_steps: number,
/**
 * Evaluations of the right-hand side.
 */
rhs_evaluations: number,
/**
 * Energy that nothing in the mechanism explains, as a fraction of the energy in play: the largest sum of the magnitudes of
 * the ledger's residual and of the work of drift control at any step. 0 if it is within rounding.
 */
energy_residual: number | null,
/**
 * The same (J).
 */
energy_residual_joule: number | null,
/**
 * Its first term: largest magnitude of the residual of the ledger (J), as in the channel `energy.residual`.
 */
energy_books_joule: number | null,
/**
 * Its second term: largest magnitude of the work of drift control (J), as in the channel `energy.drift`.
 */
energy_drift_joule: number | null,
/**
 * Energy added where contacts had to start inside an overlap (J); the channel `energy.cut` has the opposite sign.
 */
energy_late_joule: number | null,
/**
 * The clearance joints by name.
 */
contacts: { [key in string]: JointSummary },
/**
 * The metrics by name.
 */
metrics?: { [key in string]: number | null },
/**
 * Their units.
 */
metric_units?: { [key in string]: string },
/**
 * Warnings: what to know before trusting the numbers.
 */
warnings: Array<string>,
/**
 * Notes: what else is worth knowing about them.
 */
notes: Array<string>, };

/**
 * What one input does alone.
 */
export type Swing = {
/**
 * The result with the input at its 5 % point.
 */
low: number | null,
/**
 * The result with every input in its middle.
 */
middle: number | null,
/**
 * The result with the input at its 95 % point.
 */
high: number | null,
/**
 * The difference of both ends.
 */
swing: number | null, };

export type TableView = { rows: number, columns: Array<ColumnView>, };

/**
 * Contacts at instant i are the entries `first[i] … first[i + 1]`.
 */
export type TouchView = { first: Ref, x: Ref, y: Ref, fx: Ref, fy: Ref, nx: Ref, ny: Ref, region: Array<string>, of: Ref, };

/**
 * The result of checking a bound.
 */
export type Verdict = "inside" | "outside" | "unchecked";

/**
 * A section of a wall in the frame of its body; normals point into free space.
 */
export type WallView = { region: string, points: Array<[number, number]>, normals: Array<[number, number]>, };

/**
 * What a fraction refers to.
 */
export type Whole = "contact-time" | "impacts";

/**
 * The worst value that was found.
 */
export type Worst = {
/**
 * The point, from 0.
 */
point: number,
/**
 * The value.
 */
value: number,
/**
 * The values of the varied keys there, numbers in SI; of a fit the clearance on the diameter, and the places of both sizes in their zones.
 */
at: { [key in string]: KeyValue }, };

export const JOINT_NUMBERS: readonly JointNumber[] = [
  {"key":"impacts","label":"impacts","title":"Impacts","meaning":"Number of contacts, those included that were not over when the run ended.","form":"count","tables":["run","laws","laws-file","scatter","card","runs","what-if"]},
  {"key":"open","label":"open","title":"Open contacts","meaning":"Number of contacts that were not over when the run ended.","form":"count","tables":[]},
  {"key":"first_impact_time","label":"first at","title":"First impact","meaning":"Time at which the first contact began.","form":{"quantity":"s"},"tables":["run","laws","laws-file"]},
  {"key":"first_impact_speed","label":"impact speed","title":"First impact speed","meaning":"Impact speed of the first contact.","form":{"quantity":"m/s"},"tables":["run","laws","laws-file"]},
  {"key":"max_impact_speed","label":"fastest","title":"Fastest impact","meaning":"Greatest impact speed.","form":{"quantity":"m/s"},"tables":["run","card"]},
  {"key":"peak_force","label":"peak force","title":"Peak force","meaning":"Greatest normal force of one contact.","form":{"quantity":"N"},"tables":["run","laws","laws-file","scatter","card","runs","what-if"]},
  {"key":"peak_force_time","label":"peak at","title":"Time of the peak force","meaning":"Time at which the normal force was greatest.","form":{"quantity":"s"},"tables":[]},
  {"key":"max_indentation","label":"max indentation","title":"Max indentation","meaning":"Greatest indentation.","form":{"quantity":"m"},"tables":["run","laws","laws-file","scatter","card","runs","what-if"]},
  {"key":"max_impact_duration","label":"longest","title":"Longest impact","meaning":"Duration of the longest impact that was over when the run ended; continuous contact does not count.","form":{"quantity":"s"},"tables":["runs"]},
  {"key":"mean_impact_duration","label":"mean duration","title":"Mean duration","meaning":"Mean duration of the impacts that were over when the run ended; continuous contact does not count.","form":{"quantity":"s"},"tables":["runs"]},
  {"key":"restitution_in","label":"e in","title":"Specified restitution","meaning":"Specified restitution, mean of the finished impacts.","form":"ratio","tables":["run","laws-file"]},
  {"key":"restitution_free","label":"e free","title":"Restitution of free impacts","meaning":"Restitution of free impacts at the same speeds under the same law, mean of the finished impacts.","form":"ratio","tables":["run"]},
  {"key":"restitution_out","label":"e out","title":"Restitution","meaning":"Separation speed divided by approach speed, mean of the finished impacts.","form":"ratio","tables":["run","laws","laws-file","scatter","card","runs","what-if"]},
  {"key":"contact_fraction","label":"in contact","title":"In contact","meaning":"Fraction of the time with any contact.","form":"share","tables":["run","laws","laws-file","scatter","runs","what-if"]},
  {"key":"impact_fraction","label":"in impacts","title":"In impacts","meaning":"Fraction of the time in impacts.","form":"share","tables":[]},
  {"key":"continuous_fraction","label":"in continuous contact","title":"In continuous contact","meaning":"Fraction of the time in continuous contact.","form":"share","tables":[]},
  {"key":"loss_normal","label":"lost along the normal","title":"Lost along the normal","meaning":"Energy lost along the normal.","form":{"quantity":"J"},"tables":["laws-file"]},
  {"key":"loss_friction","label":"lost in sliding","title":"Lost in sliding","meaning":"Energy lost in sliding.","form":{"quantity":"J"},"tables":["laws-file"]},
  {"key":"loss","label":"energy lost","title":"Energy lost","meaning":"Energy lost along the normal and in sliding.","form":{"quantity":"J"},"tables":["run","laws","scatter","card","runs","what-if"]},
  {"key":"seam_energy","label":"added at seams","title":"Added at seams","meaning":"Energy added at seams between sections with different laws; the channel `energy.seam` has the opposite sign.","form":{"quantity":"J"},"tables":[]},
  {"key":"out_of_domain","label":"outside domain","title":"Outside the law's domain","meaning":"Fraction of the contact time outside the domain of the law.","form":"share","tables":["laws-file","runs"]},
];
