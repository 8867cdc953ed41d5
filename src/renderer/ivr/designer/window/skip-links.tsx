import { skipText } from '../../../../text/designer.ts';
import { SkipLinks } from '../../../kit/skip-links.tsx';
import type { DesignerView } from './top-bar.tsx';

/** The links past the bars of the designer, to what is worked on. */
export function DesignerSkipLinks({ view, hasInspector }: { view: DesignerView; hasInspector: boolean }) {
  return (
    <SkipLinks
      label={skipText.title}
      links={[
        { label: skipText.views[view], selector: '[data-region="view"]' },
        ...(hasInspector ? [{ label: skipText.inspector, selector: '[data-path="inspector"]' }] : []),
        { label: skipText.problems, selector: '[role="tab"][aria-selected="true"]' },
      ]}
    />
  );
}
