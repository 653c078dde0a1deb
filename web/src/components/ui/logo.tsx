import clsx from 'clsx'

/**
 * The brand's mark: an orbit that reads as a j.
 * @param thinking lets its dot circle, which is how the assistant shows that it works
 */
export function Mark({
  size = 22,
  thinking = false,
  className,
}: {
  size?: number
  thinking?: boolean
  className?: string
}) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className={clsx('block shrink-0 text-accent', className)}
    >
      <path
        d="M17.6 10.4v2.8a6.4 6.4 0 0 1-12.6 1.7"
        fill="none"
        stroke="currentColor"
        strokeWidth={3}
        strokeLinecap="round"
        opacity={thinking ? 0.38 : undefined}
      />
      <circle
        cx={17.6}
        cy={4.9}
        r={2.1}
        fill="currentColor"
        className={clsx('origin-[12px_12px]', thinking && 'animate-orbit')}
      />
    </svg>
  )
}
