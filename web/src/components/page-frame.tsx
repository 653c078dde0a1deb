import type { ReactNode } from 'react'
import { Link } from '../lib/navigation/router.tsx'
import { useBrand } from '../lib/api/config.ts'
import { newChatPath } from '../lib/navigation/new-chat.ts'
import { SiteBar } from './site-bar.tsx'
import { Logo } from './ui/logo.tsx'

/** As `DocumentFlag` does, which the first page does not load. */
const flagFrame = (frame: Element | null) =>
  void document.documentElement.toggleAttribute('data-has-frame', frame !== null)

/** The layout of pages outside the app: brand, background, footer. */
export function PageFrame({ children, footer }: { children: ReactNode; footer?: ReactNode }) {
  return (
    <div
      ref={flagFrame}
      className="relative isolate grid min-h-dvh grid-rows-[auto_minmax(0,1fr)_auto] overflow-hidden"
    >
      <Arcs />
      <header className="px-6 py-5 max-sm:px-5 max-sm:py-4">
        <div className="[&_p:last-child]:mb-4">
          <SiteBar />
        </div>
        <Brand />
      </header>
      <main className="grid">{children}</main>
      <footer className="min-h-14 px-6 py-5 text-xs text-ink-faint max-sm:px-5 max-sm:py-4">{footer}</footer>
    </div>
  )
}

/** The logo and the brand's name, linked to the main screen. */
export function Brand({ title }: { title?: string | undefined }) {
  const { brandName } = useBrand()
  return (
    <Link
      to={newChatPath()}
      title={title}
      className="inline-flex items-center gap-2 rounded-sm px-1 text-base/6 font-semibold tracking-tight text-ink max-sm:px-0"
    >
      <Logo className="max-[359px]:hidden" />
      {brandName}
    </Link>
  )
}

function Arcs() {
  return (
    <svg
      aria-hidden
      viewBox="0 0 1120 1120"
      fill="none"
      stroke="currentColor"
      className="page-arcs pointer-events-none absolute -z-1 text-line-strong rtl:-scale-x-100"
    >
      <circle cx="560" cy="560" r="556" />
      <circle cx="560" cy="560" r="416" />
      <circle cx="560" cy="560" r="276" />
      {/* on a phone it would stand in the text of the footer */}
      <circle cx="266" cy="266" r="8" stroke="none" className="fill-accent max-sm:hidden" />
    </svg>
  )
}
