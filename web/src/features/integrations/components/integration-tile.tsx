import clsx from 'clsx'
import { getNameLetters, pickHue } from '../../../components/name-tile.tsx'

/**
 * The icons of the catalogue with a logo in public/logos (from Simple Icons, CC0, which does not have all providers). The marks
 * belong to the providers; they only name their services.
 */
export const logos: ReadonlySet<string> = new Set(
  'airtable asana calendar confluence discord drive dropbox figma github hubspot intercom jira linear mail mailchimp notion paypal shopify stripe trello typeform video'.split(
    ' ',
  ),
)

/** The integration's logo or icon, or two letters on a coloured tile. Decorative: the name is beside it. */
export function IntegrationTile({
  name,
  icon,
  isRound = false,
  className,
}: {
  name: string
  icon?: string | null | undefined
  /** 28 px and round, for the top bar; else 40 px */
  isRound?: boolean
  className?: string
}) {
  const image = findImage(icon)
  return (
    <span
      aria-hidden
      className={clsx(
        'inline-grid shrink-0 place-items-center overflow-hidden font-semibold tracking-[-0.01em] forced-colors:border',
        isRound ? 'size-7 rounded-full text-[11px]' : 'size-10 rounded-md text-ui',
        // the colours of logos are made for white
        image?.isLogo ? 'bg-[#fff] ring-1 ring-line ring-inset' : pickHue(name),
        className,
      )}
    >
      {image ? <img src={image.src} alt="" className="size-6 object-contain" /> : getNameLetters(name)}
    </span>
  )
}

/** Icons must be of this origin or inline: the page loads nothing from third parties. */
function findImage(icon: string | null | undefined): { src: string; isLogo: boolean } | undefined {
  if (typeof icon !== 'string') return undefined
  if (logos.has(icon)) return { src: `/logos/${icon}.svg`, isLogo: true }
  const isSafe = /^\/(?![/\\])/.test(icon) || icon.startsWith('data:image/')
  return isSafe ? { src: icon, isLogo: false } : undefined
}
