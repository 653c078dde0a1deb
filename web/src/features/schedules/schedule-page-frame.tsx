import type { ReactNode } from 'react'

/** The column of a page beside the conversations. */
export function SchedulePageFrame({ children }: { children: ReactNode }) {
  return (
    <main className="relative h-full min-h-0 overflow-y-auto overscroll-contain scroll-quiet [scrollbar-gutter:stable_both-edges] print:h-auto print:overflow-visible">
      <div className="mx-auto max-w-[calc(48rem+3rem)] px-6 pt-6 pb-16 text-ui max-sm:px-4 max-sm:pt-4 max-sm:pb-12">
        {children}
      </div>
    </main>
  )
}
