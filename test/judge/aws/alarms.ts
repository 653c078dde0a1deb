import { setTimeout as sleep } from 'node:timers/promises'
import { type AlarmCase, alarmCases, type Periods } from '../../support/alarm-cases.ts'
import type { Report } from '../report.ts'

/** An alarm as CloudWatch describes it. Those by metric math have no metric, and the emulator refuses them. */
interface DeployedAlarm {
  readonly AlarmName: string
  readonly StateValue: string
  readonly Namespace: string
  readonly MetricName: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[]
  readonly Period: number
  readonly EvaluationPeriods: number
}

/** Runs the AWS CLI with these words. @returns what it prints, as JSON; undefined if that is nothing */
export type RunCli = (...words: string[]) => Promise<unknown>

/** What was put leaves the periods that the alarm looks at after so long. */
const visibleMs = 20_000

const isPeriods = (data: AlarmCase['raises'][number] | undefined): data is Periods => Array.isArray(data)

/**
 * Puts data that must raise each deployed alarm, and, when it is no longer looked at, data that must not. The emulator takes all periods
 * of an alarm as one, and knows no missing data: test/infra/alarms.test.ts evaluates those, and metric math.
 */
export async function judgeAlarms(report: Report, cli: RunCli): Promise<void> {
  const listAlarms = async () =>
    (
      (await cli('cloudwatch', 'describe-alarms', '--alarm-name-prefix', 'juno-dev-')) as {
        MetricAlarms: DeployedAlarm[]
      }
    ).MetricAlarms
  const put = ({ Namespace, MetricName, Dimensions = [] }: DeployedAlarm, data: Periods, at: Date) =>
    cli(
      'cloudwatch',
      'put-metric-data',
      '--namespace',
      Namespace,
      '--metric-data',
      JSON.stringify(
        data.flat().map((Value) => ({ MetricName, Dimensions, Value, Timestamp: at.toISOString() })),
      ),
    )
  const alarms = await listAlarms()
  const judged = alarms.flatMap((alarm) => {
    const name = alarm.AlarmName.replace('juno-dev-', '')
    const raises = alarmCases[name]?.raises[0]
    const leaves = alarmCases[name]?.leaves[0]
    if (isPeriods(raises) && isPeriods(leaves)) return [{ name, alarm, raises, leaves }]
    report.fail(name, 'test/support/alarm-cases.ts has no data for it')
    return []
  })
  const readStates = async () =>
    new Map((await listAlarms()).map(({ AlarmName, StateValue }) => [AlarmName, StateValue]))

  for (const { alarm, raises } of judged) {
    const periodsMs = alarm.Period * alarm.EvaluationPeriods * 1_000
    await put(alarm, raises, new Date(Date.now() - periodsMs + visibleMs))
  }
  const raised = await readStates()
  await sleep(visibleMs)
  for (const { alarm, leaves } of judged) await put(alarm, leaves.slice(-1), new Date())
  const ended = await readStates()
  for (const { name, alarm } of judged) {
    const states = `${raised.get(alarm.AlarmName)}, then ${ended.get(alarm.AlarmName)}`
    if (states === 'ALARM, then OK') report.pass(`alarm ${name}: ${states}`)
    else report.fail(`alarm ${name}`, states)
  }
}
