import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calls, says, startFakeModel } from '../support/fake-model-server.ts'
import { startStack } from '../support/local-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadFile } from '../support/upload.ts'
import { installPython } from './cache.ts'
import type { Report } from './report.ts'

const pandas = '2.3.3'
const writers = ['polars==1.35.2', 'openpyxl==3.1.5', 'XlsxWriter==3.2.9', 'odfpy==1.4.1']

type Value = string | number | null
interface JudgedTable {
  file: string
  /** who wrote it, and how */
  what: string
  questions: { sql: string; expected: Value[][] }[]
}
type Answer = { rows: Value[][] } | { error: string }

/**
 * Tables by the writers of others go through the product as an API client sends them, and a model queries them. pandas, told by hand how
 * each file is written, answers the same questions; all answers have to be equal.
 * @param wanted names of files; all without one
 */
export async function judge(report: Report, wanted: readonly string[]): Promise<void> {
  const python = installPython('pandas', pandas, 'python', { also: writers })
  if (python === undefined)
    return report.skip('tables', `pandas ${pandas} could not be installed: it needs python3 with venv.`)
  const folder = mkdtempSync(join(tmpdir(), 'judge-tables-'))
  try {
    const script = join(import.meta.dirname, 'tables/make_tables.py')
    const { status, stderr } = spawnSync(python, [script, folder], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
    })
    if (status !== 0) throw new Error(stderr.slice(-2_000))
    const tables = JSON.parse(readFileSync(join(folder, 'tables.json'), 'utf8')) as JudgedTable[]
    await judgeTables(
      report,
      tables.filter(({ file }) => wanted.length === 0 || wanted.includes(file)),
      (file) => readFileSync(join(folder, file)),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function judgeTables(
  report: Report,
  tables: readonly JudgedTable[],
  read: (file: string) => Buffer,
): Promise<void> {
  const model = await startFakeModel(says('read'))
  const stack = await startStack({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'judge', RATE_LIMIT_FACTOR: '20' },
  })
  try {
    const user = await stack.newUser()
    for (const { file, what, questions } of tables) {
      const answers = await askQuestions(user, model, { file, content: read(file), questions })
      const line = `${file.padEnd(22)} ${what.padEnd(70)} ${questions.length} questions`
      const wrong = questions.flatMap(({ sql, expected }, index) => {
        const answer = answers[index] ?? { error: 'no answer' }
        if ('rows' in answer && isEqual(answer.rows, expected)) return []
        const got = JSON.stringify('rows' in answer ? answer.rows : answer.error)
        return [`${sql}: ${got.slice(0, 300)} instead of ${JSON.stringify(expected).slice(0, 300)}`]
      })
      if (wrong.length === 0) report.pass(line)
      else report.fail(line, wrong.join('\n  '))
    }
  } finally {
    await stack.stop()
    model.close()
  }
}

/** Uploads a file, and has a model ask in one round. */
async function askQuestions(
  user: StackUser,
  model: Awaited<ReturnType<typeof startFakeModel>>,
  { file, content, questions }: { file: string; content: Buffer; questions: JudgedTable['questions'] },
): Promise<Answer[]> {
  const attachment = await uploadFile(user, { name: file, type: '', content })
  model.behave(
    calls(
      ...questions.map(({ sql }, index) => ({
        id: `c${index}`,
        name: 'query_table',
        arguments: JSON.stringify({ sql }),
      })),
    ),
    says('Done.'),
  )
  await user.call('chat.send', {
    body: { messages: [{ role: 'user', content: 'Calculate', attachments: [{ id: attachment.id }] }] },
  })
  return (model.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content: text }) => JSON.parse(String(text)) as Answer)
}

/** Sums of the same numbers in another order differ in their last digits. */
const tolerance = 1e-9

const isEqual = (rows: Value[][], expected: Value[][]) =>
  rows.length === expected.length &&
  rows.every(
    (row, index) =>
      row.length === expected[index]?.length &&
      row.every((value, column) => isSame(value, expected[index]?.[column] ?? null)),
  )

const isSame = (value: Value, expected: Value) =>
  typeof value === 'number' && typeof expected === 'number'
    ? Math.abs(value - expected) <= tolerance * Math.max(1, Math.abs(expected))
    : value === expected
