import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explainRefusal } from './import-arrows.ts'

/**
 * Negative control: plants one violation a file in a copy of the project's skeleton, runs the project's own lint command
 * there, and expects exactly these findings. A linter that silently stops looking turns this red.
 */

const root = join(import.meta.dirname, '../..')
const exportLine = (...names: string[]) => `export const used = [${names.join(', ')}]\n`
const importLine = (source: string) => `import { a } from '${source}'\n${exportLine('a')}`
const leaf = 'export const a = 1\n'
const arrow = 'juno(import-arrows)'
const text = 'page(no-literal-text)'
const keys = 'keys(in-one-place)'
const fields = 'fields(from-input)'
const actions = 'actions(of-the-user)'
const componentWith = (jsx: string) => `export const Part = ({ on }: { on: boolean }) => ${jsx}\n`

/** Files that must pass; they are also what the planted files import. */
const validFiles: Record<string, string> = {
  'shared/rule.ts': leaf,
  'shared/uses-own.ts': importLine('./rule.ts'),
  'shared/contracts/chat.ts': `import * as z from 'zod'\nexport const a = z.string()\nexport type A = z.infer<typeof a>\n`,
  'functions/platform/dynamodb/table.ts': importLine('#shared/rule.ts'),
  'functions/conversations/store/run.ts': leaf,
  'functions/registry/search.ts': leaf,
  'functions/files/file.ts': leaf,
  'functions/chat/send.ts': importLine('../conversations/store/run.ts'),
  'functions/chat/tools/deep.ts': importLine('../../conversations/store/run.ts'),
  'functions/chat/tools/own.ts': importLine('../other/own.ts'),
  'functions/chat/other/own.ts': leaf,
  'functions/conversations/list.ts': importLine('../files/file.ts'),
  'functions/conversations/turns/plan.ts': importLine('../store/run.ts'),
  'functions/integrations/list.ts': importLine('../registry/search.ts'),
  'functions/integrations/own.ts': leaf,
  'functions/integrations/store/row.ts': leaf,
  'functions/integrations/credentials/access.ts': `export type A = string\n${leaf}`,
  'functions/tools/calls/call.ts': importLine('../../integrations/credentials/access.ts'),
  'functions/tools/offer/list.ts': `import type { A } from '../../integrations/credentials/access.ts'\nimport { used } from '../calls/call.ts'\nexport const b: A = String(used)\n`,
  'functions/account/erase.ts': importLine('../registry/search.ts'),
  'functions/chat/send.test.ts': `import { expect, it } from 'vitest'\nimport { a } from '../../test/support/help.ts'\nit('adds', () => expect(a).toBe(1))\n`,
  'infra/aws/stack.ts': importLine('#shared/rule.ts'),
  'infra/local/server.ts': importLine('../../functions/chat/own.ts'),
  'functions/chat/own.ts': leaf,
  'web/vite.config.ts': `import { join } from 'node:path'\nexport default { root: join('a', 'b') }\n`,
  'web/src/lib/call.ts': `import type { A } from '#shared/contracts/chat.ts'\nimport { a } from '#shared/rule.ts'\nexport const b: A = String(a)\n`,
  'web/src/lib/load.ts': `import { useState } from 'react'\nexport const useLoad = (load: () => Promise<string>) => {\n  const [text, setText] = useState<string>()\n  return { text, load: async () => { setText(undefined); setText(await load()) } }\n}\n`,
  'web/src/lib/leaf.ts': leaf,
  'web/src/components/button.ts': importLine('../lib/leaf.ts'),
  'web/src/components/ui.ts': leaf,
  'web/src/components/toast.ts': `export const showToast = (kind: string, title: string) => kind + title\n`,
  'web/src/features/chat/a.ts': importLine('../../components/ui.ts'),
  'web/src/features/chat/inner/b.ts': importLine('../own.ts'),
  'web/src/features/chat/own.ts': leaf,
  'web/src/features/history/own.ts': leaf,
  'web/src/app/shell.ts': importLine('../features/chat/own.ts'),
  'web/src/app/own.ts': leaf,
  'web/src/app/lazy.ts': `export const page = () => import('../features/history/own.ts')\n`,
  'web/src/main.ts': importLine('./app/own.ts'),
  'web/src/features/chat/part-texts.tsx': `export const greeting = 'Hello'\n`,
  'web/src/features/chat/part.tsx': `import { Trans } from '@lingui/react/macro'\nimport { greeting } from './part-texts.tsx'\n${componentWith("<p title={greeting} className={on ? 'on' : 'off'}>{greeting} · 1 + 1…<Trans>Hello <b>you</b></Trans></p>")}`,
  'web/src/lib/input/keys.ts': `export const isEscape = ({ key }: KeyboardEvent) => key === 'Escape'\n`,
  'web/src/lib/keys-of-help.ts': `export const keys = ['Shift', 'Enter']\n`,
  'test/support/help.ts': leaf,
  'test/api/any.ts': importLine('../../functions/chat/own.ts'),
}

/** Files that must be reported, each for one reason. */
const faultyFiles: Record<string, [rule: string, text: string]> = {
  'shared/bad-node.ts': [arrow, `import { join } from 'node:path'\n${exportLine('join')}`],
  'shared/bad-builtin.ts': [arrow, `import { join } from 'path'\n${exportLine('join')}`],
  'shared/bad-functions.ts': [arrow, importLine('../functions/conversations/store/run.ts')],
  'shared/bad-web.ts': [arrow, importLine('../web/src/lib/leaf.ts')],
  'functions/platform/bad-run.ts': [arrow, importLine('../conversations/store/run.ts')],
  'functions/conversations/store/bad-turns.ts': [arrow, importLine('../turns/plan.ts')],
  'functions/conversations/turns/bad-files.ts': [arrow, importLine('../../files/file.ts')],
  'functions/conversations/turns/bad-routes.ts': [arrow, importLine('../list.ts')],
  'functions/conversations/bad-chat.ts': [arrow, importLine('../chat/own.ts')],
  'functions/conversations/replies/bad-chat.ts': [arrow, importLine('../../chat/own.ts')],
  'functions/integrations/bad-sessions.ts': [arrow, importLine('../files/file.ts')],
  'functions/integrations/store/bad-credentials.ts': [arrow, importLine('../credentials/access.ts')],
  'functions/integrations/credentials/bad-sign-in.ts': [arrow, importLine('../own.ts')],
  'functions/tools/offer/bad-credentials.ts': [arrow, importLine('../../integrations/credentials/access.ts')],
  'functions/tools/offer/bad-integrations.ts': [arrow, importLine('../../integrations/own.ts')],
  'functions/tools/calls/bad-offer.ts': [arrow, importLine('../offer/list.ts')],
  'functions/mcp/bad-call.ts': [arrow, importLine('../tools/calls/call.ts')],
  'functions/registry/bad-integrations.ts': [arrow, importLine('../integrations/own.ts')],
  'functions/mfa/bad-runs.ts': [arrow, importLine('../conversations/store/run.ts')],
  'functions/files/bad-infra.ts': [arrow, importLine('../../infra/local/own.ts')],
  'functions/files/bad-web.ts': [arrow, importLine('../../web/src/lib/leaf.ts')],
  'infra/local/bad-test-support.ts': [arrow, importLine('../../test/support/help.ts')],
  'functions/files/bad-test-support.ts': [arrow, importLine('../../test/support/help.ts')],
  'functions/files/bad-shared-path.ts': [arrow, importLine('../../shared/rule.ts')],
  'functions/files/bad-alias.ts': [arrow, importLine('#functions/conversations/store/run.ts')],
  'functions/files/bad-dynamic.ts': [
    arrow,
    `export const load = () => import('../conversations/store/run.ts')\n`,
  ],
  'functions/files/bad-re-export.ts': [arrow, `export { a } from '../conversations/store/run.ts'\n`],
  'functions/files/bad-re-export-all.ts': [arrow, `export * from '../conversations/store/run.ts'\n`],
  'functions/files/bad-import-type.ts': [
    arrow,
    `export type T = import('../conversations/store/run.ts').T\n`,
  ],
  'infra/aws/bad-functions.ts': [arrow, importLine('../../functions/conversations/store/run.ts')],
  'infra/aws/bad-local.ts': [arrow, importLine('../local/own.ts')],
  'web/src/lib/bad-functions.ts': [arrow, importLine('../../../functions/conversations/store/run.ts')],
  'web/src/lib/bad-alias.ts': [arrow, importLine('#web/lib/leaf.ts')],
  'web/src/lib/bad-component.ts': [arrow, importLine('../components/ui.ts')],
  'web/src/lib/bad-node.ts': [arrow, `import { join } from 'node:path'\n${exportLine('join')}`],
  'web/src/lib/bad-contract.ts': [arrow, importLine('#shared/contracts/chat.ts')],
  'web/src/lib/bad-inline-type.ts': [
    arrow,
    `import { type A } from '#shared/contracts/chat.ts'\nexport const b: A = 'b'\n`,
  ],
  'web/src/lib/bad-zod.ts': [arrow, `import * as z from 'zod'\nexport const a = z.string()\n`],
  'web/src/components/bad-feature.ts': [arrow, importLine('../features/chat/own.ts')],
  'web/src/features/chat/bad-feature.ts': [arrow, importLine('../history/own.ts')],
  'web/src/features/chat/bad-lazy.ts': [arrow, `export const page = () => import('../history/own.ts')\n`],
  'web/src/features/chat/bad-app.ts': [arrow, importLine('../../app/own.ts')],

  'web/src/app/bad-text.tsx': [text, componentWith('<p hidden={on}>Hello</p>')],
  'web/src/features/chat/bad-branch.tsx': [text, componentWith("<p>{on ? 'Hello' : 1}</p>")],
  'web/src/features/chat/bad-template.tsx': [text, componentWith('<p>{on && `${1} files`}</p>')],
  'web/src/features/chat/bad-fragment.tsx': [text, componentWith('<>{String(on)} files</>')],
  'web/src/components/bad-label.tsx': [
    text,
    componentWith('<button type="button" aria-label="Close" hidden={on} />'),
  ],
  'web/src/components/bad-property.ts': [text, `export const action = { label: 'Undo', run: () => 1 }\n`],
  'web/src/lib/bad-title.ts': [text, `export const show = () => {\n  document.title = 'Files'\n}\n`],
  'web/src/features/chat/bad-toast.ts': [
    text,
    `import { showToast } from '../../components/toast.ts'\nexport const tell = () => showToast('error', 'Not saved')\n`,
  ],

  'web/src/app/bad-escape.ts': [keys, `export const isClosed = (key: string) => key === 'Escape'\n`],
  'web/src/app/bad-escape-list.ts': [keys, `export const closing = ['Escape', 'q']\n`],
  'web/src/app/bad-enter.ts': [keys, `export const isSent = (key: string) => key === 'Enter'\n`],
  'web/src/app/bad-composing.ts': [
    keys,
    `export const isOurs = (event: KeyboardEvent) => !event.isComposing\n`,
  ],

  'web/src/app/bad-field.tsx': [
    fields,
    `import { useState } from 'react'
export function Part() {
  const [value, setValue] = useState('')
  return <input aria-labelledby="a" value={value} onChange={(event) => setValue(event.target.value)} />
}
`,
  ],
  'web/src/app/bad-textarea.tsx': [fields, componentWith('<textarea aria-labelledby="a" disabled={on} />')],
  'web/src/app/bad-editable.tsx': [fields, componentWith('<div contentEditable={on} />')],
  'web/src/app/bad-mutation.ts': [
    actions,
    `import { useMutation } from '@tanstack/react-query'\n${exportLine('useMutation')}`,
  ],
  'web/src/app/bad-busy-state.ts': [
    actions,
    `import { useState } from 'react'\nexport const useSave = (save: () => Promise<void>) => {\n  const [, setSaving] = useState(false)\n  return async () => {\n    setSaving(true)\n    await save().finally(() => setSaving(false))\n  }\n}\n`,
  ],
  'web/src/app/bad-busy-ref.ts': [
    actions,
    `import { useRef } from 'react'\nexport const useSave = (save: () => Promise<void>) => {\n  const request = useRef<string>(undefined)\n  return async (id: string) => {\n    request.current = id\n    await save()\n    request.current = undefined\n  }\n}\n`,
  ],

  'functions/conversations/store/cycle-a.ts': [
    'import(no-cycle)',
    `import { b } from './cycle-b.ts'\nexport const a = () => b\n`,
  ],
  'functions/conversations/store/cycle-b.ts': [
    'import(no-cycle)',
    `import { a } from './cycle-a.ts'\nexport const b = () => a\n`,
  ],
  'shared/cycle-a.ts': [
    'import(no-cycle)',
    `import { b } from '#shared/cycle-b.ts'\nexport const a = () => b\n`,
  ],
  'shared/cycle-b.ts': [
    'import(no-cycle)',
    `import { a } from '#shared/cycle-a.ts'\nexport const b = () => a\n`,
  ],
  'functions/conversations/store/bad-promise.ts': [
    'typescript(no-floating-promises)',
    `export function start(run: () => Promise<void>) {\n  run()\n}\n`,
  ],
  'functions/conversations/store/bad-callback.ts': [
    'typescript(no-misused-promises)',
    `export const each = (all: number[]) => all.forEach(async (one) => void (await Promise.resolve(one)))\n`,
  ],
  'functions/conversations/store/bad-any.ts': ['typescript(no-explicit-any)', `export const a: any = 1\n`],
  'functions/conversations/store/bad-type.ts': ['typescript(TS2322)', `export const a: string = 1\n`],
  'web/src/lib/bad-node-global.ts': ['eslint(no-restricted-globals)', `export const path = process.cwd()\n`],
  'functions/conversations/store/bad-default.ts': ['import(no-default-export)', `export default 1\n`],
  'functions/conversations/store/bad-console.ts': ['eslint(no-console)', `console.log('a')\nexport {}\n`],
  'functions/conversations/store/bad-ignore.ts': [
    'typescript(ban-ts-comment)',
    `// @ts-ignore\nexport const a: string = 1\n`,
  ],
  'functions/conversations/store/bad-focus.test.ts': [
    'vitest(no-focused-tests)',
    `import { expect, it } from 'vitest'\nit.only('adds', () => expect(1).toBe(1))\n`,
  ],
  'functions/conversations/store/bad-skip.test.ts': [
    'vitest(no-disabled-tests)',
    `import { expect, it } from 'vitest'\nit.skip('adds', () => expect(1).toBe(1))\n`,
  ],
  'web/src/lib/bad-hook.ts': [
    'react-hooks(rules-of-hooks)',
    `import { useState } from 'react'\nexport function useMaybe(on: boolean) {\n  return on ? useState(1) : undefined\n}\n`,
  ],
  'web/src/lib/bad-effect.ts': [
    'react-hooks(exhaustive-deps)',
    `import { useEffect } from 'react'\nexport function useTitle(title: string) {\n  useEffect(() => {\n    document.title = title\n  }, [])\n}\n`,
  ],
  'web/src/components/bad-image.tsx': [
    'jsx-a11y(alt-text)',
    `export const Face = () => <img src="/face.png" />\n`,
  ],
}

interface Finding {
  readonly code?: string
  readonly message: string
  readonly filename?: string
}

/** The command of `npm run lint:types`, which has the rules of `npm run lint`, too; oxlint exits non-zero if it finds something. */
async function lint(folder: string): Promise<{ exitCode: number; findings: Finding[] }> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<'lint:types', string>
  }
  const [, ...args] = scripts['lint:types'].split(' ')
  const command = [join(root, 'node_modules/oxlint/bin/oxlint'), ...args, '--format=json']
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      command,
      { cwd: folder, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        try {
          const { diagnostics } = JSON.parse(stdout) as { diagnostics: Finding[] }
          resolve({ exitCode: error ? Number(error.code) : 0, findings: diagnostics })
        } catch (cause) {
          reject(new Error(`oxlint gave no report: ${stdout}${stderr}`, { cause }))
        }
      },
    )
  })
}

async function plant(files: [path: string, text: string][]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'juno-lint-'))
  const skeleton = [
    '.oxlintrc.json',
    'package.json',
    'tsconfig.json',
    'test/lint/import-arrows.ts',
    'test/lint/literal-text.ts',
    'test/lint/own-busy-states.ts',
    'test/lint/page-keys.ts',
    'test/lint/text-fields.ts',
  ]
  const projects = ['shared', 'web', 'test'].map((name) => `${name}/tsconfig.json`)
  for (const file of [...skeleton, ...projects]) await cp(join(root, file), join(folder, file))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

describe('the lint command', () => {
  let folder: string
  let lintResult: Awaited<ReturnType<typeof lint>>

  beforeAll(async () => {
    const faultyEntries = Object.entries(faultyFiles).map(([path, [, text]]): [string, string] => [
      path,
      text,
    ])
    folder = await plant([...Object.entries(validFiles), ...faultyEntries])
    lintResult = await lint(folder)
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  // `npm test` runs the lint command on this repository, so a valid tree needs no test here
  it('fails on a tree that breaks the rules', () => {
    expect(lintResult.exitCode).toBe(1)
  })

  it.each(Object.entries(faultyFiles))('reports %s for its one fault', (path, [rule]) => {
    const codes = lintResult.findings.filter(({ filename }) => filename === path).map(({ code }) => code)
    // the compiler does not find most of the planted imports, and reports that as well
    const isCompilerError = (code = '') => /^typescript\(TS\d/.test(code)
    expect(codes.filter((code) => code === rule || !isCompilerError(code))).toEqual([rule])
  })

  it('reports no other file', () => {
    const files = new Set(lintResult.findings.map(({ filename }) => filename))
    expect([...files].filter((file) => !(file && file in faultyFiles))).toEqual([])
  })
})

describe('a forbidden import', () => {
  it('is reported with the allowed folders', () => {
    expect(explainRefusal('functions/conversations/list.ts', '../chat/send.ts', false)).toBe(
      'functions/conversations may not import functions/chat/send.ts (only functions/conversations, functions/platform, functions/settings, shared, functions/assistants, functions/feedback, functions/files, functions/imports, functions/integrations/store, functions/projects, functions/schedules, functions/shares)',
    )
  })
})
