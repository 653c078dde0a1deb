import { builtInProviders } from '../providers/built-in.ts'
import { foldLookAlikes } from '../platform/look-alikes.ts'
import { readNamespace, type StoredEntry } from './stored-entry.ts'

const builtInNames = new Set(builtInProviders.map(({ name }) => foldLookAlikes(name)))
const builtInIds = new Set(builtInProviders.map(({ id }) => id))

export interface NamedEntries {
  /** with unique names, ignoring case */
  listed: StoredEntry[]
  /** entries whose name is, or looks like, that of a built-in integration */
  imitations: StoredEntry[]
}

/**
 * Assigns the names that stored entries are listed under. Among equal or look-alike titles, the entry with the strongest claim keeps the
 * title and the others get their namespace appended. If two claims are equally strong, all get it appended. The date does not matter.
 */
export function nameEntries(stored: readonly StoredEntry[]): NamedEntries {
  const imitations: StoredEntry[] = []
  const groups = new Map<string, StoredEntry[]>()
  for (const entry of stored) {
    const folded = foldLookAlikes(entry.name) || entry.name.toLowerCase()
    const group = groups.get(folded)
    if (builtInNames.has(folded) || builtInIds.has(entry.id)) imitations.push(entry)
    else if (group) group.push(entry)
    else groups.set(folded, [entry])
  }
  const owners = new Set([...groups.values()].map(findOwner))
  const entries = stored.filter((entry) => owners.has(entry))
  for (const group of groups.values()) entries.push(...group.filter((entry) => !owners.has(entry)))
  const usedNames = new Set<string>()
  const listed = entries.map((entry) => {
    const name = chooseName(entry, { isOwner: owners.has(entry), usedNames })
    usedNames.add(name.toLowerCase())
    return { ...entry, name }
  })
  return { listed, imitations }
}

/** @returns undefined if no claim is stronger than all others */
function findOwner(group: readonly StoredEntry[]): StoredEntry | undefined {
  const candidates = group.filter(({ name }) => !endsInNamespace.test(name))
  if (candidates.length <= 1) return candidates[0]
  const [first, second] = candidates
    .map((entry) => ({ entry, claim: rankClaim(entry) }))
    .toSorted((a, b) => b.claim - a.claim)
  return first && first.claim !== second?.claim ? first.entry : undefined
}

/** A title that imitates one with a namespace appended. */
const endsInNamespace = /\([\w-]+(?:\.[\w-]+)+(?:\/[\w.-]+)?\)\s*$/

/** Namespaces of accounts at a code host; the rest of the namespace names the publisher. */
const codeHost = /^(?:io|com)\.(?:github|gitlab)(?=\.)/

/**
 * How strong an entry's claim to its title is: 3 for servers of the official repository; 2 if the server is at the domain of its namespace,
 * which the publisher has proved to own, and the title begins with a label of that domain; 1 for the domain alone; otherwise 0.
 */
function rankClaim(entry: StoredEntry): number {
  const namespace = readNamespace(entry)
  if (namespace === undefined) return 3
  const domain = namespace.toLowerCase().split('.').toReversed().join('.')
  const host = URL.parse(entry.config.remote_url ?? '')?.hostname
  if (host !== domain && !host?.endsWith(`.${domain}`)) return 0
  const [, ...labels] = namespace.replace(codeHost, 'account').split('.')
  const folded = foldLookAlikes(entry.name)
  return labels.map(foldLookAlikes).some((label) => label !== '' && folded.startsWith(label)) ? 2 : 1
}

function chooseName(
  entry: StoredEntry,
  { isOwner, usedNames }: { isOwner: boolean; usedNames: ReadonlySet<string> },
): string {
  const { id, name, provider, config } = entry
  const isFree = (candidate: string) => !usedNames.has(candidate.toLowerCase())
  const longest = `${name} (${config.server_name ?? id})`
  const candidates = [...(isOwner ? [name] : []), `${name} (${readNamespace(entry) ?? provider})`, longest]
  const found = candidates.find(isFree)
  if (found !== undefined) return found
  let count = 2
  while (!isFree(`${longest} ${count}`)) count += 1
  return `${longest} ${count}`
}
