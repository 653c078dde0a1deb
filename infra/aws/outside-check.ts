import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { CfnHealthCheck } from 'aws-cdk-lib/aws-route53'
import type { Construct } from 'constructs'
import { healthRoute } from '#shared/health-route.ts'
import { addAlarmTopic, describeAlarm } from './alarm-topic.ts'
import type { Config } from './config.ts'

/** Fewer are not allowed; each has some checkers, and every request costs. */
const checkedFrom = ['us-east-1', 'eu-west-1', 'ap-southeast-1']

/**
 * Asks the health route from three regions every 30 seconds, by the address that people use: a domain, a certificate, a distribution or a
 * gateway that fails shows in no metric of the product. Route 53 reports to us-east-1 only, so the alarm and its topic stand there.
 * @see https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/monitoring-health-checks.html
 */
export function addOutsideCheck(
  scope: Construct,
  config: Pick<Config, 'brandName' | 'prefix' | 'alarmEmail'>,
  domainName: string,
): void {
  const name = 'SiteUnreachable'
  const check = new CfnHealthCheck(scope, 'OutsideCheck', {
    healthCheckConfig: {
      type: 'HTTPS',
      fullyQualifiedDomainName: domainName,
      port: 443,
      resourcePath: healthRoute.path,
      enableSni: true,
      requestInterval: 30,
      failureThreshold: 3,
      regions: checkedFrom,
    },
    healthCheckTags: [{ key: 'Name', value: `${config.prefix}-${name}` }],
  })
  const alarm = new Alarm(scope, name, {
    alarmName: `${config.prefix}-${name}`,
    alarmDescription: describeAlarm(name, 'Nobody reaches the product by its address.'),
    metric: new Metric({
      namespace: 'AWS/Route53',
      metricName: 'HealthCheckStatus',
      dimensionsMap: { HealthCheckId: check.attrHealthCheckId },
      statistic: 'Minimum',
      period: Duration.minutes(1),
    }),
    threshold: 1,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: 3,
    // the check reports whether people use the product or not
    treatMissingData: TreatMissingData.BREACHING,
  })
  const notify = new SnsAction(addAlarmTopic(scope, config))
  alarm.addAlarmAction(notify)
  alarm.addOkAction(notify)
}
