import type { ReactNode } from 'react'

/** A section beside the conversations of a project. */
export function Pane({
  title,
  hint,
  action,
  children,
}: {
  title: string
  hint?: string
  /** a button at the end of the title's line */
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="border-t border-line pt-4 pb-5 text-ui first:border-t-0 first:pt-0">
      <div className="mb-1 flex min-h-8 items-center">
        <h2 className="flex-1 font-semibold">{title}</h2>
        {action}
      </div>
      {hint !== undefined && <p className="text-sm text-ink-muted">{hint}</p>}
      {children}
    </section>
  )
}
