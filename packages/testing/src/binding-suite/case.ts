import type { Scene } from './scene.ts';
import type { BindingFeature } from './subject.ts';

/** A case of the suite. */
export interface BindingCase {
  /** States the rule. */
  readonly title: string;
  /** The features without which the case is skipped. */
  readonly needs: readonly BindingFeature[];
  run(scene: Scene): Promise<void>;
}

/** Returns a case. */
export function rule(title: string, run: BindingCase['run'], needs: readonly BindingFeature[] = []): BindingCase {
  return { title, needs, run };
}
