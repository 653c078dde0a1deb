import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useBrand } from '../lib/config.ts'
import { Mark } from './ui/logo.tsx'

/** The frame of pages outside the app itself: the brand above, the arcs behind, a quiet line below. */
export function PageFrame({ children, foot }: { children: ReactNode; foot?: ReactNode }) {
  return (
    <div className="relative isolate grid min-h-dvh grid-rows-[auto_minmax(0,1fr)_auto] overflow-hidden">
      <Arcs />
      <header className="px-6 py-5 max-sm:px-5 max-sm:py-4">
        <Brand />
      </header>
      <main className="grid">{children}</main>
      <footer className="min-h-14 px-6 py-5 text-xs text-ink-faint max-sm:px-5 max-sm:py-4">{foot}</footer>
    </div>
  )
}

/** The mark and the brand's name, which lead to the main screen. */
export function Brand() {
  const { brandName } = useBrand()
  return (
    <Link
      to="/"
      className="inline-flex items-center gap-2 rounded-sm px-1 text-base/6 font-semibold tracking-tight text-ink max-sm:px-0"
    >
      <Mark className="max-[359px]:hidden" />
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
      className="pointer-events-none absolute -right-[440px] -bottom-[480px] -z-1 size-[900px] text-line-strong max-sm:-right-[360px] max-sm:-bottom-[400px] max-sm:size-[560px]"
    >
      <circle cx="560" cy="560" r="556" />
      <circle cx="560" cy="560" r="416" />
      <circle cx="560" cy="560" r="276" />
      <circle cx="266" cy="266" r="8" stroke="none" className="fill-accent" />
    </svg>
  )
}
