import { plainLine } from '../platform/untrusted-text.ts'

const heading = /^(#{1,6})\s(.*)$/s
const setupTitle = /\b(setup|installation|configuration)\b/i
const credentialName =
  /(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]*(?:_API_KEY|_TOKEN|_SECRET|_CLIENT_ID)(?![A-Za-z0-9_])/g

const maxTitle = 300
const maxSteps = 12
const maxCredentials = 20
/** the part of a README that is read */
const maxCharacters = 200_000

export interface ReadmeFacts {
  /** the first heading */
  title: string | undefined
  description: string | undefined
  setupInstructions: string[]
  requiredCredentials: string[]
}

/**
 * Extracts set-up information from a README as plain text: the title, the first sentence, the steps in sections called Setup,
 * Installation or Configuration at any level, and the names of credentials.
 */
export function parseReadme(readme: string): ReadmeFacts {
  const text = readme.slice(0, maxCharacters)
  const steps: string[] = []
  let description: string | undefined
  let firstHeading: string | undefined
  /** heading level of the current set-up section; 0 outside of one */
  let sectionLevel = 0
  for (const line of listProseLines(text)) {
    const [, marks, title] = heading.exec(line) ?? []
    if (marks && title !== undefined) {
      if (marks === '#') firstHeading ??= plainLine(stripMarkdown(title.slice(0, maxTitle)), 100)
      if (sectionLevel > 0 && marks.length <= sectionLevel) sectionLevel = 0
      if (sectionLevel === 0 && setupTitle.test(stripMarkdown(title.slice(0, maxTitle))))
        sectionLevel = marks.length
      continue
    }
    const plain = plainLine(stripMarkdown(line), 300)
    if (plain === '') continue
    if (sectionLevel > 0 && steps.length < maxSteps) steps.push(plain)
    if (/^[>|*_\s]*\[|^\s*[>|<!]|^\s*\*\*\[/.test(line)) continue
    if (sectionLevel === 0) description ??= plain
  }
  const names = [...text.matchAll(credentialName)]
    .map(([name]) => name)
    .filter((name) => !name.startsWith('YOUR_'))
  return {
    title: firstHeading,
    description,
    setupInstructions: steps,
    requiredCredentials: [...new Set(names)].slice(0, maxCredentials),
  }
}

/** Lines outside of code blocks, HTML comments and HTML blocks. */
function* listProseLines(text: string): Generator<string> {
  let fence = ''
  for (const line of text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').split(/\r?\n/)) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence) {
      if (mark?.startsWith(fence)) fence = ''
    } else if (mark) fence = mark
    else yield line
  }
}

// no part of a link contains the beginning of another one, so that many beginnings are not each read to the limit
const target = String.raw`\((?:[^()]|\([^()]{0,300}\)){0,2000}\)`
const image = new RegExp(String.raw`!\[[^[\]]{0,300}\]${target}`, 'g')
const link = new RegExp(String.raw`\[([^[\]]{0,300})\]${target}`, 'g')

function stripMarkdown(line: string): string {
  return line
    .replace(image, '')
    .replace(link, '$1')
    .replace(/<[^<>]{0,500}>/g, '')
    .replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '')
    .replace(/[`*]+/g, '')
}
