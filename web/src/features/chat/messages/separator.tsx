/** A line between messages with a label for what begins below it. */
export function Separator({ label }: { label: string }) {
  return (
    <div
      role="separator"
      aria-label={label}
      className="-mb-3 flex items-center gap-3 pt-10 text-xs font-medium text-ink-muted first:pt-0 max-sm:pt-8"
    >
      <span className="h-px min-w-4 flex-1 bg-line" />
      <span className="text-center text-balance">{label}</span>
      <span className="h-px min-w-4 flex-1 bg-line" />
    </div>
  )
}
