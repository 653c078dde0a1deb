import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { says, startFakeModel } from '../support/fake-model-server.ts'
import { startStack } from '../support/local-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadFile } from '../support/upload.ts'
import { installPython } from './cache.ts'
import {
  fromMarkdown,
  isWorse,
  judgeAnswer,
  tabulate,
  type Answer,
  type Expectation,
} from './file-verdict.ts'
import type { Report } from './report.ts'
import { judgeSuites } from './suites.ts'

const version = '0.1.9'
/** They write the documents; those of a package that cannot be installed are skipped. */
const writers = [
  'python-docx==1.2.0',
  'openpyxl==3.1.5',
  'XlsxWriter==3.3.1',
  'python-pptx==1.0.2',
  'odfpy==1.4.1',
  'reportlab==5.1.0',
  'fpdf2==2.8.9',
  'uharfbuzz',
  'icalendar==7.3.2',
  'vobject==0.9.9',
  'EbookLib==0.20',
  'nbformat==5.11.1',
  'pandas',
  'Pillow',
  'xlwt==1.3.0',
]

/**
 * Documents by the writers of others go through the product as an API client sends them (upload, complete, chat), and through markitdown.
 * Both are judged by what must and must not reach a model. A document fails if the product is worse and does not say so.
 * @param wanted names of files; all without one
 */
export async function judge(report: Report, wanted: readonly string[]): Promise<void> {
  const python = installPython('markitdown[all]', version, 'python', { optional: writers })
  if (python === undefined)
    return report.skip('files', `markitdown ${version} could not be installed: it needs python3 with venv.`)
  const folder = mkdtempSync(join(tmpdir(), 'judge-files-'))
  try {
    const run = (script: string) => {
      const { status, stderr } = spawnSync(python, [join(import.meta.dirname, 'files', script), folder], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
      })
      if (status !== 0) throw new Error(`${script}: ${stderr.slice(-2_000)}`)
    }
    const load = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown
    run('make_files.py')
    run('convert.py')
    const listed = (load('files.json') as Expectation[]).filter(
      ({ file }) => wanted.length === 0 || wanted.includes(file),
    )
    const converted = load('converted.json') as Record<string, { text?: string; error?: string }>
    for (const { file, missing } of listed)
      if (missing !== undefined) report.skip(file, `it needs ${missing}.`)
    const files = listed.filter(({ missing }) => missing === undefined)
    await judgeFiles(report, files, {
      read: (file) => readFileSync(join(folder, file)),
      convert: (file) => {
        const { text, error = 'no answer' } = converted[file] ?? {}
        return text === undefined ? { text, note: error } : { text: fromMarkdown(text), note: '' }
      },
    })
    if (wanted.length > 0) return
    run('suites.py')
    await judgeSuites(report, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function judgeFiles(
  report: Report,
  files: readonly Expectation[],
  { read, convert }: { read: (file: string) => Buffer; convert: (file: string) => Answer },
): Promise<void> {
  const model = await startFakeModel(says('read'))
  const stack = await startStack({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'judge',
      MODELS: JSON.stringify([{ id: 'judge' }]),
      RATE_LIMIT_FACTOR: '20',
    },
  })
  try {
    let user = await stack.newUser()
    const results = []
    for (const [at, expected] of files.entries()) {
      const { file, what, type } = expected
      // a token is valid for 15 minutes
      if (at % 30 === 29) user = await stack.newUser()
      const answer = await send(user, { name: file, type, content: read(file) }, model).catch(
        (error: unknown): Answer => ({ text: undefined, note: String(error) }),
      )
      const product = judgeAnswer(expected, answer)
      const other = judgeAnswer(expected, convert(file))
      results.push({ file, product, other })
      const line = `${file.padEnd(22)} ${what.padEnd(72)} product ${product.verdict.padEnd(13)} markitdown ${other.verdict}`
      if (answer.note.includes('without its layout') || answer.note.includes('without their layout'))
        report.fail(line, answer.note)
      else if (isWorse(product, other))
        report.fail(line, `${product.faults.join(', ')}; its note: ${answer.note}`.slice(0, 400))
      else report.pass(line)
    }
    for (const line of tabulate(results)) report.tell(line)
  } finally {
    await stack.stop()
    model.close()
  }
}

/** Uploads a file and asks for it. On a busy computer its reading outlasts the first reply; a person asks again. */
async function send(
  user: StackUser,
  file: Parameters<typeof uploadFile>[1],
  model: Awaited<ReturnType<typeof startFakeModel>>,
): Promise<Answer> {
  const attachment = await uploadFile(user, file)
  const question = { role: 'user' as const, content: 'Please read this', attachments: [attachment] }
  for (let attempt = 1; ; attempt += 1) {
    model.requests.splice(0)
    await user.call('chat.send', { body: { model: 'judge', messages: [question] } })
    const answer = findAnswer(JSON.stringify(model.requests))
    if (!answer.note.startsWith('still being read') || attempt === 5) return answer
    await wait(2_000)
  }
}

/** @param requests that the model was sent, as JSON */
function findAnswer(requests: string): Answer {
  const tag = /<attachment id=[^>]*>/.exec(requests)
  if (!tag) return { text: undefined, note: 'the model was not told of the file' }
  const opening = JSON.parse(`"${tag[0]}"`) as string
  const note = /\bnote="([^"]*)"/.exec(opening)?.[1] ?? ''
  const from = tag.index + tag[0].length
  const to = requests.indexOf('</attachment>', from)
  const isEmpty = opening.endsWith('/>') || to === -1
  return { text: isEmpty ? undefined : (JSON.parse(`"${requests.slice(from, to)}"`) as string), note }
}
