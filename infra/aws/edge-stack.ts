import { CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib'
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager'
import { HostedZone } from 'aws-cdk-lib/aws-route53'
import type { Construct } from 'constructs'
import type { Config } from './config.ts'
import { edgeRegion } from './edge-region.ts'
import { addOutsideCheck } from './outside-check.ts'
import { addWebAcl } from './web-acl.ts'

/** The certificate and the web ACL of the distribution, and the check of its address: what has to be in us-east-1. */
export class EdgeStack extends Stack {
  readonly certificateArn: string | undefined
  readonly webAclArn: string | undefined

  constructor(scope: Construct, id: string, { config, ...props }: StackProps & { config: Config }) {
    super(scope, id, { ...props, env: { region: edgeRegion } })
    const { domain, waf, prefix, outsideCheck } = config
    if (domain?.hostedZoneId && !domain.certificateArn)
      this.certificateArn = this.shareAcrossRegions(
        'CertificateArn',
        new Certificate(this, 'Certificate', {
          domainName: domain.name,
          validation: CertificateValidation.fromDns(
            HostedZone.fromHostedZoneId(this, 'Zone', domain.hostedZoneId),
          ),
        }).certificateArn,
      )
    if (waf) this.webAclArn = this.shareAcrossRegions('WebAclArn', addWebAcl(this, prefix).attrArn)
    if (outsideCheck && domain) addOutsideCheck(this, config, domain.name)
  }

  /**
   * Puts a value into an output, and refers to it from any region. CloudFormation resolves the reference when the other stack
   * is deployed, so neither needs to know its account and region beforehand (ADR 0017), and this stack can still be deleted.
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getstackoutput.html
   */
  private shareAcrossRegions(output: string, value: string): string {
    new CfnOutput(this, output, { value })
    return Fn.getStackOutput(this.stackName, output, edgeRegion)
  }
}
