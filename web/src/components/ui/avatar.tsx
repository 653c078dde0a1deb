import clsx from 'clsx'

/** A user's image, or their initials. Decorative: the name is beside it or on the button. */
export function Avatar({
  initials,
  imageUrl,
  size = 'md',
}: {
  initials: string
  imageUrl: string | undefined
  /** 32 or 72 px */
  size?: 'md' | 'lg'
}) {
  return (
    <span
      aria-hidden
      className={clsx(
        'inline-grid shrink-0 place-items-center overflow-hidden rounded-full bg-surface-pressed font-semibold tracking-[0.01em] text-ink forced-colors:border',
        size === 'md' ? 'size-8 text-xs' : 'size-18 text-xl',
      )}
    >
      {imageUrl ? <img src={imageUrl} alt="" className="size-full object-cover" /> : initials}
    </span>
  )
}
