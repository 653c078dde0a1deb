import { fileURLToPath } from 'node:url'

/** The part of the bundler's module graph that is used here. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const toSourcePath = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url))
const authPage = toSourcePath('features/auth/auth-page.tsx')

/** Our own modules that the entries import statically. */
function collectImports(entries: readonly string[], modules: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (id: string) => {
    // a package's index re-exports everything, most of which is unused
    if (found.has(id) || id.includes('/node_modules/')) return
    found.add(id)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const entry of entries) add(entry)
  return found
}

/**
 * Assigns the modules of the first pages to chunks. By default the bundler creates a chunk for each set of
 * pages that share a module: nineteen
 * for the chat alone, most with a single icon. On a phone a request of 200 bytes takes as long as one of 20
 * KB, and larger chunks compress better.
 */
export function createChunkNamer(): (id: string, modules: ModuleGraph) => string | null {
  let modulesByPage: Record<'first' | 'auth' | 'signInAgain' | 'chat', ReadonlySet<string>> | undefined
  return (id, modules) => {
    modulesByPage ??= {
      first: collectImports([toSourcePath('main.tsx')], modules),
      auth: collectImports([authPage], modules),
      signInAgain: collectImports([toSourcePath('features/auth/sign-in-again-dialog.tsx')], modules),
      chat: collectImports(
        [toSourcePath('app/authenticated-layout.tsx'), toSourcePath('app/main-screen.tsx')],
        modules,
      ),
    }
    if (modulesByPage.first.has(id) || id === authPage) return null
    // the sign-in shares its fields with the settings, and its flows with the dialog for a new sign-in
    if (modulesByPage.auth.has(id))
      return id.includes('/features/auth/') && !modulesByPage.signInAgain.has(id) ? null : 'forms'
    return modulesByPage.chat.has(id) ? 'chat' : null
  }
}
