import clsx from 'clsx'
import { createContext, use, type ReactNode } from 'react'
import { Card } from './ui/card.tsx'

/** The title above the cards, where it is that of one section: the card of the section does not repeat it. */
export const SectionTitle = createContext<string | undefined>(undefined)

/** A card of a settings page. Its title is for screen readers only where the section around it shows the same one. */
export function SettingsCard({
  title,
  subtitle,
  children,
}: {
  title: string
  subtitle?: string
  children: ReactNode
}) {
  const isRepeated = use(SectionTitle) === title
  return (
    <Card as="section" className="min-w-0 p-6 max-sm:px-4 max-sm:py-5">
      <h2 className={isRepeated ? 'sr-only' : 'text-base/6 font-semibold tracking-snug'}>{title}</h2>
      {subtitle !== undefined && <p className="mt-0.5 text-ink-muted">{subtitle}</p>}
      {children}
    </Card>
  )
}

/**
 * A section of a card, separated by a line from what is above it. Where nothing visible is above it, because the title is for screen readers
 * only and there is no subtitle, it has no line; otherwise only the first section needs a distance to the title.
 */
export function CardSection({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={clsx(
        'border-t border-line py-4 first-of-type:mt-4 last:pb-0 [.sr-only+&]:mt-0 [.sr-only+&]:border-t-0 [.sr-only+&]:pt-0',
        className,
      )}
    >
      {children}
    </div>
  )
}

/** One thing of a list of the user's own, with what can be done to it beside it, below it on a phone. */
export function ListRow({
  title,
  details,
  children,
}: {
  title: string
  /** those that are empty are left out */
  details: readonly (string | undefined)[]
  children: ReactNode
}) {
  return (
    <li className="flex items-center gap-4 py-3 max-sm:flex-col max-sm:items-stretch max-sm:gap-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" dir="auto" title={title}>
          {title}
        </p>
        <p className="text-sm wrap-anywhere text-ink-muted">{details.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="flex gap-2">{children}</div>
    </li>
  )
}

/** A title and description with a control beside it, below it on a phone. */
export function SettingRow({
  title,
  description,
  children,
}: {
  title: string
  description: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-8 max-sm:grid-cols-1 max-sm:gap-y-3 max-sm:[&>button]:w-full">
      <div>
        <h3 className="font-medium">{title}</h3>
        <div className="max-w-(--width-note) text-ink-muted">{description}</div>
      </div>
      {children}
    </div>
  )
}
