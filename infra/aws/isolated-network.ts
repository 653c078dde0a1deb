import { Aws, Fn, Stack } from 'aws-cdk-lib'
import {
  CfnRouteTable,
  CfnSecurityGroup,
  CfnSubnet,
  CfnSubnetRouteTableAssociation,
  CfnVPC,
  CfnVPCEndpoint,
} from 'aws-cdk-lib/aws-ec2'
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda'
import { acknowledge } from './acknowledge.ts'
import type { ApiFunction } from './api-function.ts'

/** What Lambda needs of a function's role to connect it, on all resources: it deletes and describes interfaces that it has made elsewhere. */
const connectActions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
]

/**
 * Puts a function into a network of its own that leads to one bucket and nowhere else: no gateway, and an endpoint of S3 that admits the
 * bucket alone, so that nothing can be sent to somebody else's. None of it has a price. Names can still be asked of AWS's DNS.
 * @param id of the function in the template, with which its name begins
 * @param objectsArn the objects of the bucket
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html
 */
export function isolateFunction(fn: ApiFunction, id: string, objectsArn: string): void {
  const scope = Stack.of(fn)
  const vpc = new CfnVPC(scope, 'IsolatedNetwork', {
    cidrBlock: '10.0.0.0/24',
    enableDnsHostnames: true,
    enableDnsSupport: true,
  })
  acknowledge(vpc, {
    VPC7: 'Flow logs would cost more than what they could show: nothing leads out of this network but to one bucket.',
  })
  const routes = new CfnRouteTable(scope, 'IsolatedRoutes', { vpcId: vpc.attrVpcId })
  const subnets = [0, 1].map((zone) => {
    const subnet = new CfnSubnet(scope, `IsolatedSubnet${zone + 1}`, {
      vpcId: vpc.attrVpcId,
      cidrBlock: `10.0.0.${zone * 128}/25`,
      availabilityZone: Fn.select(zone, Fn.getAzs()),
    })
    new CfnSubnetRouteTableAssociation(scope, `IsolatedSubnet${zone + 1}Routes`, {
      subnetId: subnet.attrSubnetId,
      routeTableId: routes.attrRouteTableId,
    })
    return subnet
  })
  new CfnVPCEndpoint(scope, 'BucketEndpoint', {
    vpcId: vpc.attrVpcId,
    vpcEndpointType: 'Gateway',
    serviceName: `com.amazonaws.${Aws.REGION}.s3`,
    routeTableIds: [routes.attrRouteTableId],
    policyDocument: new PolicyDocument({
      statements: [
        new PolicyStatement({
          principals: [new AnyPrincipal()],
          actions: ['s3:GetObject', 's3:PutObject'],
          resources: [objectsArn],
        }),
      ],
    }),
  })
  const group = new CfnSecurityGroup(scope, 'IsolatedGroup', {
    groupDescription: 'Out to S3 alone, as far as the routes lead; in from nowhere',
    vpcId: vpc.attrVpcId,
    securityGroupEgress: [
      {
        ipProtocol: 'tcp',
        fromPort: 443,
        toPort: 443,
        cidrIp: '0.0.0.0/0',
        description: 'S3, by the endpoint',
      },
    ],
  })
  const { node, role } = fn
  const template = node.defaultChild as CfnFunction
  template.vpcConfig = {
    subnetIds: subnets.map(({ attrSubnetId }) => attrSubnetId),
    securityGroupIds: [group.attrGroupId],
  }
  if (!role) throw new Error('The function has no role.')
  role.addToPrincipalPolicy(
    new PolicyStatement({ sid: 'LambdaConnects', actions: connectActions, resources: ['*'] }),
  )
  // for Lambda itself, and not for the code of the function
  role.addToPrincipalPolicy(
    new PolicyStatement({
      sid: 'CodeDoesNot',
      effect: Effect.DENY,
      actions: connectActions,
      resources: ['*'],
      conditions: {
        ArnLike: {
          'lambda:SourceFunctionArn': `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${Aws.STACK_NAME}-${id}*`,
        },
      },
    }),
  )
}
