import { whenIdle } from '../lib/browser/when-idle.ts'
import { lazyComponent } from './lazy-component.tsx'

/** The notice of the site. Its code and its text load after the first page is shown. */
export const SiteBar = lazyComponent(
  async () => {
    await whenIdle()
    return import('./site-notice.tsx')
  },
  'SiteNotice',
  null,
  { silent: true },
)
