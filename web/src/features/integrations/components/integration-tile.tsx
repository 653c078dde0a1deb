import clsx from 'clsx'
import { splitCharacters } from '../../../lib/characters.ts'

const hues = [
  'bg-tile-1 text-tile-1-ink',
  'bg-tile-2 text-tile-2-ink',
  'bg-tile-3 text-tile-3-ink',
  'bg-tile-4 text-tile-4-ink',
  'bg-tile-5 text-tile-5-ink',
  'bg-tile-6 text-tile-6-ink',
] as const

/** The first two letters of a name, uppercase. */
export function getNameLetters(name: string): string {
  const letters = splitCharacters(name.trim())
  return letters
    .filter((letter) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(letter))
    .slice(0, 2)
    .join('')
    .toLocaleUpperCase()
}

/** Picks one of six colours, always the same for the same name. */
function pickHue(name: string): string {
  let hash = 0
  for (const character of name.toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return hues[hash % hues.length] ?? hues[0]
}

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
