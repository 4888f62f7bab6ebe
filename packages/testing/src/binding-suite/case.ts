import type { Scene } from './scene.ts';
import type { BindingFeature, BindingRule } from './subject.ts';

/** A case of the suite. */
export interface BindingCase extends BindingRule {
  run(scene: Scene): Promise<void>;
}

/** Returns a case. */
export function rule(title: string, run: BindingCase['run'], needs: readonly BindingFeature[] = []): BindingCase {
  return { title, needs, run };
}
