import type { ReactNode } from 'react'

/** A check box with its label and a hint below it. */
export function CheckRow({
  label,
  hint = '',
  isChecked,
  isPartial = false,
  onChange,
}: {
  label: ReactNode
  hint?: string
  isChecked: boolean
  /** whether a part of what it stands for is checked */
  isPartial?: boolean
  onChange: (isChecked: boolean) => void
}) {
  return (
    <label className="flex min-h-9 min-w-0 flex-1 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1 text-ink hover:bg-surface-hover max-sm:min-h-11">
      <input
        type="checkbox"
        // there is no attribute for it
        ref={(node) => {
          if (node) node.indeterminate = isPartial
        }}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 flex-1">
        <span className="block wrap-anywhere">{label}</span>
        {hint !== '' && <span className="block text-sm wrap-anywhere text-ink-muted">{hint}</span>}
      </span>
    </label>
  )
}
