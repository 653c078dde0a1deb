/** A check box with its label and a hint below it. */
export function CheckRow({
  label,
  hint = '',
  isChecked,
  onChange,
}: {
  label: string
  hint?: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}) {
  return (
    <label className="flex min-h-9 min-w-0 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1 hover:bg-surface-hover max-sm:min-h-11">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">
        <span className="block wrap-anywhere">{label}</span>
        {hint !== '' && <span className="block text-sm wrap-anywhere text-ink-muted">{hint}</span>}
      </span>
    </label>
  )
}
