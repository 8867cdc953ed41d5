import { useEffect, useState } from 'react';

import { type SectionId, sections } from './sections.ts';

/** The part of the window, from its top, in which a section counts as the one that is read. */
const readingPart = '0px 0px -60% 0px';

/** The section that is being read: the first one in the upper part of the window. */
export function useSectionInSight(): SectionId {
  const [inSight, setInSight] = useState<SectionId>(sections[0].id);

  useEffect(() => {
    const visible = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        const first = sections.find(({ id }) => visible.has(id));
        if (first !== undefined) setInSight(first.id);
      },
      { rootMargin: readingPart },
    );
    for (const { id } of sections) {
      const element = document.getElementById(id);
      if (element !== null) observer.observe(element);
    }
    return () => observer.disconnect();
  }, []);

  return inSight;
}
