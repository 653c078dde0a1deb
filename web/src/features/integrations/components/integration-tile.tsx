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

/** TOP-07: the first two letters of a name, in capitals. */
export function nameLetters(name: string): string {
  const letters = splitCharacters(name.trim())
  return letters
    .filter((letter) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(letter))
    .slice(0, 2)
    .join('')
    .toLocaleUpperCase()
}

/** The same hue for the same name, one of six. */
function hueOf(name: string): string {
  let hash = 0
  for (const character of name.toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return hues[hash % hues.length] ?? hues[0]
}

/** Two letters on one of six hues, or a picture of our own: INT-14. Decorative: the name stands beside it. */
export function IntegrationTile({
  name,
  icon,
  round = false,
  className,
}: {
  name: string
  icon?: string | null | undefined
  /** 32 px and round, for the top bar; else 40 px */
  round?: boolean
  className?: string
}) {
  return (
    <span
      aria-hidden
      className={clsx(
        'inline-grid shrink-0 place-items-center overflow-hidden font-semibold tracking-[-0.01em]',
        round ? 'size-8 rounded-full text-xs' : 'size-10 rounded-md text-ui',
        hueOf(name),
        className,
      )}
    >
      {isPicture(icon) ? <img src={icon} alt="" className="size-6 object-contain" /> : nameLetters(name)}
    </span>
  )
}

/** Pictures come from this origin or inline: the page loads nothing from strangers. */
function isPicture(icon: string | null | undefined): icon is string {
  return typeof icon === 'string' && (/^\/(?![/\\])/.test(icon) || icon.startsWith('data:image/'))
}
