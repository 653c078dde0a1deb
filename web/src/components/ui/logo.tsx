import clsx from 'clsx'

/**
 * The logo: an orbit in the shape of a j.
 * @param isThinking animates the dot while the assistant works
 */
export function Logo({
  size = 22,
  isThinking = false,
  className,
}: {
  size?: number
  isThinking?: boolean
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
        opacity={isThinking ? 0.38 : undefined}
      />
      <circle
        cx={17.6}
        cy={4.9}
        r={2.1}
        fill="currentColor"
        className={clsx('origin-[12px_12px]', isThinking && 'animate-orbit')}
      />
    </svg>
  )
}
