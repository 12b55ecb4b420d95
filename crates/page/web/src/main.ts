// Boots the page: state, views, then the runs that it carries.
import "./style.css";
import { mountCompare } from "./compare.ts";
import { drawAll } from "./dom.ts";
import { mountHeader, mountNotes, mountSheets } from "./header.ts";
import { mountMagnifiers } from "./magnifier.ts";
import { colorsChanged } from "./palette.ts";
import { paper } from "./paper.ts";
import { decode, embedded, runData } from "./payload.ts";
import { mountPlayer } from "./player.ts";
import { mountPlayground } from "./playground.ts";
import { mountPlots } from "./plots/index.ts";
import { keepRoom } from "./room.ts";
import { mountScene } from "./scene.ts";
import { Store } from "./store.ts";
import { mountStudy } from "./studypage/index.ts";
import { mountImpacts } from "./table.ts";
import type { Boot } from "./types.ts";
import { mountWhatif } from "./whatif/index.ts";

const views: Record<string, (root: HTMLElement, store: Store) => void> = {
  header: mountHeader,
  notes: mountNotes,
  playground: mountPlayground,
  scene: mountScene,
  player: mountPlayer,
  magnifiers: mountMagnifiers,
  compare: mountCompare,
  plots: mountPlots,
  impacts: mountImpacts,
  whatif: mountWhatif,
  sheets: mountSheets,
};

const REMEMBERED = "jointplay-theme";

/** Light, dark or as the system says; remembered where the browser lets us. */
function followTheme(store: Store): void {
  const apply = (): void => {
    const { theme } = store.state;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    colorsChanged();
  };
  store.subscribe((state, changed) => {
    if (!changed.has("theme")) return;
    apply();
    try {
      localStorage.setItem(REMEMBERED, state.theme);
    } catch {
      /* files without storage */
    }
  });
  // Paper is white.
  window.addEventListener("beforeprint", () => {
    paper.on = true;
    document.documentElement.dataset.theme = "light";
    colorsChanged();
    drawAll();
  });
  window.addEventListener("afterprint", () => {
    paper.on = false;
    apply();
    drawAll();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  try {
    const theme = localStorage.getItem(REMEMBERED);
    if (theme === "light" || theme === "dark") store.setTheme(theme);
  } catch {
    /* files without storage */
  }
}

async function loadRuns(store: Store): Promise<void> {
  let color = 0;
  for (const [i, { label, role }] of store.state.boot.runs.entries()) {
    const bytes = await embedded(`run-${i}`);
    if (!bytes) throw new Error(`the page has no data for the run "${label}"`);
    // The ideal mechanism has the last colour, the ink of the page.
    if (color === 6) color = 7;
    store.addRun(runData(decode(bytes), `run-${i}`, label, role, role === "ideal" ? 6 : color++));
  }
}

async function boot(): Promise<void> {
  const element = document.getElementById("boot");
  const store = new Store(JSON.parse(element?.textContent ?? "") as Boot);
  document.documentElement.dataset.kind = store.state.boot.kind;
  followTheme(store);
  for (const [id, mount] of Object.entries(views)) {
    const root = document.getElementById(id);
    if (root) mount(root, store);
  }
  keepRoom();
  try {
    await loadRuns(store);
    const study = document.getElementById("studypage");
    if (study) await mountStudy(study, store);
  } catch (error) {
    store.setProblem(error instanceof Error ? error.message : String(error));
  }
  document.documentElement.dataset.ready = "";
}

void boot();
