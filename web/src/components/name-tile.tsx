import clsx from 'clsx'
import { splitCharacters } from '../lib/characters.ts'

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
export function pickHue(name: string): string {
  let hash = 0
  for (const character of name.toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return hues[hash % hues.length] ?? hues[0]
}

const sizes = {
  xs: 'size-5 rounded-[6px] text-[8px]',
  sm: 'size-8 rounded-sm text-xs',
  md: 'size-10 rounded-md text-ui',
  lg: 'size-16 rounded-lg text-xl',
}

/** Two letters of a name on a coloured tile. Decorative: the name is beside it. */
export function NameTile({ name, size = 'md' }: { name: string; size?: keyof typeof sizes }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'inline-grid shrink-0 place-items-center overflow-hidden font-semibold tracking-[-0.01em] forced-colors:border',
        sizes[size],
        pickHue(name),
      )}
    >
      {getNameLetters(name)}
    </span>
  )
}
