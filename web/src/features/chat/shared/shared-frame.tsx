import type { ReactNode, RefObject } from 'react'
import { Brand } from '../../../components/page-frame.tsx'
import { SiteBar } from '../../../components/site-bar.tsx'

/** The header and the footer of the page of a shared conversation. */
export function SharedFrame({
  children,
  footer,
  containerRef,
}: {
  children: ReactNode
  footer?: ReactNode
  /** set to the element in which previews are shown beside the conversation */
  containerRef?: RefObject<HTMLDivElement | null>
}) {
  return (
    <div ref={containerRef} className="flex items-start print:block">
      <div className="grid min-h-dvh min-w-0 flex-1 grid-cols-1 grid-rows-[auto_minmax(0,1fr)_auto] print:block">
        <header className="border-b border-line px-6 py-4 max-sm:px-4 max-sm:py-3 print:hidden">
          <SiteBar />
          <Brand />
        </header>
        <main className="mx-auto w-full max-w-[calc(var(--width-settings)+3rem)] px-6 py-10 max-sm:px-4 max-sm:py-6 print:max-w-none print:p-0">
          {children}
        </main>
        <footer className="mx-auto w-full max-w-[calc(var(--width-settings)+3rem)] px-6 pt-4 pb-10 text-sm text-ink-muted max-sm:px-4 print:max-w-none print:px-0">
          {footer}
        </footer>
      </div>
    </div>
  )
}
