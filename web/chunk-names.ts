import { fileURLToPath } from 'node:url'

/** What the bundler tells of a module. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const toSourcePath = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url))
const authPage = toSourcePath('features/auth/auth-page.tsx')

/** The modules of our own that these cannot do without; what they `import()` is not needed at once. */
function collectImports(entries: readonly string[], modules: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (id: string) => {
    // a package's index names everything that the package has, most of which is not used
    if (found.has(id) || id.includes('/node_modules/')) return
    found.add(id)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const entry of entries) add(entry)
  return found
}

/**
 * Names the file of the build for modules of the first pages. The bundler by itself makes a file for each set of parts that share
 * something, nineteen for the chat alone and most of them one icon; but a request of 200 bytes waits as long on a phone as one of
 * 20 KB, and what is compressed together is smaller.
 */
export function createChunkNamer(): (id: string, modules: ModuleGraph) => string | null {
  let modulesByPage: Record<'first' | 'auth' | 'signInAgain' | 'chat', ReadonlySet<string>> | undefined
  return (id, modules) => {
    modulesByPage ??= {
      first: collectImports([toSourcePath('main.tsx')], modules),
      auth: collectImports([authPage], modules),
      signInAgain: collectImports([toSourcePath('features/auth/sign-in-again-dialog.tsx')], modules),
      chat: collectImports([toSourcePath('app/authenticated-layout.tsx'), toSourcePath('app/main-screen.tsx')], modules),
    }
    if (modulesByPage.first.has(id) || id === authPage) return null
    // the sign-in shares its fields with the settings, and its flows with the dialog that asks for a new sign-in
    if (modulesByPage.auth.has(id))
      return id.includes('/features/auth/') && !modulesByPage.signInAgain.has(id) ? null : 'forms'
    return modulesByPage.chat.has(id) ? 'chat' : null
  }
}
