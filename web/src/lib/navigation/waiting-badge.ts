import { titleCount } from './use-document-title.ts'

/** A digit has to be readable at 16 px. */
const maxDigit = 9
const badgeUnits = 24

const findIcon = () => document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]')

/** The icon of the page, as it was first. */
let icon: { address: string; svg: Promise<string | undefined> } | undefined

async function loadSvg(address: string): Promise<string | undefined> {
  const response = await fetch(address).catch(() => undefined)
  const text = response?.ok ? await response.text().catch(() => '') : ''
  return text?.includes('</svg>') ? text : undefined
}

/** Draws a count over the lower right corner of a square icon. The badge is drawn for an icon of 24 units and scaled to others. */
function addBadge(svg: string, count: number): string {
  const [, , width = badgeUnits] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(/[ ,]+/).map(Number)
  const scale = (width || badgeUnits) / badgeUnits
  const label = count > maxDigit ? `${maxDigit}+` : String(count)
  const circle = '<circle cx="16.5" cy="16.5" r="7.5" style="fill:#be2f2c"/>'
  const font = `text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${label.length > 1 ? 8.5 : 11}"`
  const text = `<text x="16.5" y="20.3" ${font} style="fill:#fff">${label}</text>`
  return svg.replace(/<\/svg>\s*$/, `<g transform="scale(${scale})">${circle}${text}</g></svg>`)
}

let shownCount = 0

async function showOnIcon(count: number): Promise<void> {
  const link = findIcon()
  if (!link) return
  if (count === 0) {
    if (icon) link.href = icon.address
    return
  }
  const { href } = link
  icon ??= { address: href, svg: loadSvg(href) }
  const svg = await icon.svg
  // offline, or the count has changed meanwhile
  if (svg === undefined) icon = undefined
  else if (shownCount === count) link.href = `data:image/svg+xml,${encodeURIComponent(addBadge(svg, count))}`
}

/** Sets the count on the icon of the installed app, where there is one. */
async function showOnApp(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return
  // not allowed, or not installed
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined)
}

/** Shows how many calls wait for the user, in the title of the page, on its icon and on that of the installed app. 0 shows nothing. */
export function showWaitingCount(count: number): void {
  shownCount = count
  titleCount.setState(count)
  void showOnIcon(count)
  void showOnApp(count)
}
