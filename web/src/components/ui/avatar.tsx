import clsx from 'clsx'

/** A user's image, or their initials. Decorative: the name is beside it or on the button. */
export function Avatar({
  initials,
  imageUrl,
  className,
}: {
  initials: string
  imageUrl?: string | undefined
  className?: string
}) {
  return (
    <span
      aria-hidden
      className={clsx(
        'inline-grid size-8 shrink-0 place-items-center overflow-hidden rounded-full bg-surface-pressed text-xs font-semibold tracking-[0.01em] text-ink forced-colors:border',
        className,
      )}
    >
      {imageUrl ? <img src={imageUrl} alt="" className="size-full object-cover" /> : initials}
    </span>
  )
}
