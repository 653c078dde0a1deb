import { plural } from '@lingui/core/macro'
import { Callout } from '../../../components/ui/callout.tsx'
import { describeError } from '../state/connection-error.ts'

/** What the server answered to the connection test. */
export function ToolTestResult({
  test: { data, error },
}: {
  test: {
    data: { server: string; tools: { name: string; description: string }[] } | undefined
    error: Error | null
  }
}) {
  if (error)
    return (
      <Callout variant="danger" error={error}>
        {describeError(error)}
      </Callout>
    )
  if (!data) return null
  return (
    <Callout variant="info">
      <span className="block font-medium text-ink">
        {plural(
          { tools: data.tools.length },
          { one: `${data.server} answers with # tool`, other: `${data.server} answers with # tools` },
        )}
      </span>
      {data.tools.map(({ name, description }) => (
        <span key={name} className="block wrap-anywhere">
          <code className="font-mono text-xs text-ink">{name}</code>
          {description !== '' && ` ${description}`}
        </span>
      ))}
    </Callout>
  )
}
