import clsx from 'clsx'
import { useState } from 'react'
import { splitCharacters } from '../lib/text/characters.ts'

const hues = [
  'bg-tile-1 text-tile-1-ink',
  'bg-tile-2 text-tile-2-ink',
  'bg-tile-3 text-tile-3-ink',
  'bg-tile-4 text-tile-4-ink',
  'bg-tile-5 text-tile-5-ink',
  'bg-tile-6 text-tile-6-ink',
] as const

/** The first two letters, digits or emojis of a name, uppercase. Empty if it has none. */
export function getNameLetters(name: string): string {
  // before the count: ß becomes two letters
  return splitCharacters(name.toLocaleUpperCase())
    .filter((letter) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(letter))
    .slice(0, 2)
    .join('')
}

/** Picks one of six colours, always the same for the same name, whatever its letter case. */
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

/** Two letters of a name on a coloured tile, or a picture. Decorative: the name is beside it. @param picture an address */
export function NameTile({
  name,
  picture,
  size = 'md',
}: {
  name: string
  picture?: string | undefined
  size?: keyof typeof sizes
}) {
  // its link has ended, or what it shows was withdrawn
  const [failed, setFailed] = useState<string>()
  const isPicture = picture !== undefined && picture !== failed
  return (
    <span
      aria-hidden
      className={clsx(
        'inline-grid shrink-0 place-items-center overflow-hidden font-semibold tracking-[-0.01em] forced-colors:border',
        sizes[size],
        isPicture ? 'hairline' : pickHue(name),
      )}
    >
      {isPicture ? (
        <img src={picture} alt="" className="size-full object-cover" onError={() => setFailed(picture)} />
      ) : (
        getNameLetters(name)
      )}
    </span>
  )
}
