import { fileURLToPath } from 'node:url'

/** The part of the bundler's module graph that is used here. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[]; importers: readonly string[] } | null
}

/** The graph answers slowly, and does not change any more. */
const importedIds = new Map<string, readonly string[]>()
function listImports(id: string, graph: ModuleGraph): readonly string[] {
  const known = importedIds.get(id) ?? graph.getModuleInfo(id)?.importedIds ?? []
  importedIds.set(id, known)
  return known
}

const findPackage = (id: string) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]

/** What a module imports statically, itself included: our own modules, and the names of packages. */
function collectImports(entry: string, graph: ModuleGraph) {
  const modules = new Set<string>()
  const packages = new Set<string>()
  const seen = new Set<string>()
  const add = (id: string) => {
    if (seen.has(id)) return
    seen.add(id)
    const name = findPackage(id)
    if (name === undefined) modules.add(id)
    else packages.add(name)
    for (const imported of listImports(id, graph)) add(imported)
  }
  add(entry)
  return { modules, packages }
}

const toSourcePath = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url))

/**
 * Names the chunks of shared modules. By default the bundler makes one for each set of pages that share a module: 350, most with a
 * single function. On a phone a request of 200 bytes takes as long as one of 20 KB, and larger chunks compress better.
 */
export function createChunkNamers() {
  let imports:
    | Record<'entry' | 'start' | 'auth' | 'layout' | 'chat' | 'overlays', ReturnType<typeof collectImports>>
    | undefined
  const collect = (graph: ModuleGraph) => {
    const from = (path: string) => collectImports(toSourcePath(path), graph)
    return (imports ??= {
      entry: from('main.tsx'),
      start: from('app/start.tsx'),
      auth: from('features/auth/auth-page.tsx'),
      layout: from('app/authenticated-layout.tsx'),
      chat: from('app/main-screen.tsx'),
      overlays: from('components/ui/menu.tsx'),
    })
  }
  const isInChat = (id: string, graph: ModuleGraph) =>
    collect(graph).layout.modules.has(id) || collect(graph).chat.modules.has(id)
  /** Packages that the chat has loaded once it is idle. */
  const isCommon = (name: string, graph: ModuleGraph) =>
    Object.values(collect(graph)).some(({ packages }) => packages.has(name))
  return {
    /** What loads the catalogue: no module with texts may run before it is there. */
    entry: (id: string, graph: ModuleGraph): string | null =>
      collect(graph).entry.modules.has(id) || /vite\/preload-helper|rolldown\/runtime/.test(id)
        ? 'index'
        : null,
    /** What each page needs. */
    page: (id: string, graph: ModuleGraph): string | null => {
      const { start, auth } = collect(graph)
      return start.modules.has(id) || (auth.modules.has(id) && isInChat(id, graph)) ? 'page' : null
    },
    /** What the chat has in common with other parts, which load nothing else of it. */
    common: (id: string, graph: ModuleGraph): string | null => {
      if (!isInChat(id, graph)) return null
      return graph.getModuleInfo(id)?.importers.every((one) => isInChat(one, graph)) ? null : 'common'
    },
    /** What the sign-in shares with other pages. */
    forms: (id: string, graph: ModuleGraph): string | null =>
      collect(graph).auth.modules.has(id) ? 'forms' : null,
    /** What other parts share, with those of their folder: but nothing that needs a package for itself. */
    parts: (id: string, graph: ModuleGraph): string | null => {
      const name = findPackage(id)
      if (name !== undefined)
        return !isCommon(name, graph) ? null : name === 'lucide-react' ? 'icons' : 'overlays'
      if (![...collectImports(id, graph).packages].every((needed) => isCommon(needed, graph))) return null
      const [, feature] = /\/features\/([^/]+)\//.exec(id) ?? []
      return feature === undefined ? 'parts' : `parts-of-${feature}`
    },
  }
}
