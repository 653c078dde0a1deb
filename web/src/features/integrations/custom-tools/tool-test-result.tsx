import { plural } from '@lingui/core/macro'
import { Callout } from '../../../components/ui/callout.tsx'
import { describeError } from '../state/connection-error.ts'

interface ServerAnswer {
  server: string
  tools: { name: string; description: string }[]
}

/** What the server answered to the connection test. */
export function ToolTestResult({
  test: { data, error },
}: {
  test: { data: ServerAnswer | undefined; error: Error | null }
}) {
  return (
    <>
      {error && <Callout variant="danger">{describeError(error)}</Callout>}
      {/* always there, or screen readers would not notice its text; empty, it takes no row of the form */}
      <div aria-live="polite" className="empty:-mt-4">
        {data && <ToolsOfServer {...data} />}
      </div>
    </>
  )
}

function ToolsOfServer({ server, tools }: ServerAnswer) {
  return (
    <Callout variant="info">
      <span className="block font-medium text-ink">
        {plural(
          { tools: tools.length },
          { one: `${server} answers with # tool`, other: `${server} answers with # tools` },
        )}
      </span>
      {tools.map(({ name, description }) => (
        <span key={name} className="block wrap-anywhere">
          <code className="font-mono text-xs text-ink">{name}</code>
          {description !== '' && ` ${description}`}
        </span>
      ))}
    </Callout>
  )
}
