import { expect, it } from 'vitest'
import { variants } from './configurations.ts'
import { synthesise } from './synthesised.ts'

const isolated = synthesise(variants['a parser without the internet'])

it('the parser of documents leads to the bucket of the uploads and nowhere else', () => {
  expect(isolated.named('api', 'AWS::Lambda::Function', 'DocumentParser').Properties['VpcConfig']).toEqual({
    SubnetIds: ['api/IsolatedSubnet1.SubnetId', 'api/IsolatedSubnet2.SubnetId'],
    SecurityGroupIds: ['api/IsolatedGroup.GroupId'],
  })
  const endpoint = isolated.only('api', 'AWS::EC2::VPCEndpoint').Properties
  expect(endpoint).toMatchObject({
    VpcEndpointType: 'Gateway',
    ServiceName: 'com.amazonaws.<Region>.s3',
    RouteTableIds: ['api/IsolatedRoutes.RouteTableId'],
    PolicyDocument: {
      Statement: [
        {
          Effect: 'Allow',
          Action: ['s3:GetObject', 's3:PutObject'],
          Resource: 'data/Uploads.Arn/*',
        },
      ],
    },
  })
  // a route to the internet would need one of these
  for (const type of ['AWS::EC2::InternetGateway', 'AWS::EC2::NatGateway', 'AWS::EC2::Route'])
    expect(isolated.resources('api', type)).toEqual([])
  expect(isolated.resources('api', 'AWS::EC2::SubnetRouteTableAssociation')).toHaveLength(2)
  expect(isolated.only('api', 'AWS::EC2::SecurityGroup').Properties).not.toHaveProperty(
    'SecurityGroupIngress',
  )
})

it('no other function is in a network, and none without the setting', () => {
  const listConnected = (synthesised: typeof isolated) =>
    synthesised
      .resources('api', 'AWS::Lambda::Function')
      .filter(({ Properties }) => 'VpcConfig' in Properties)
      .map(({ id }) => id)
  expect(listConnected(isolated)).toEqual(['DocumentParser'])
  expect(listConnected(synthesise())).toEqual([])
})
