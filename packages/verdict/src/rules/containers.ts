// Containers, virtual machines and clusters: looking is a read, everything else changes what others use.
import { asks, groups, looks, verbs } from './forms.ts';
import type { ProgramRule } from './types.ts';

const KUBE_OPTIONS = {
  '-n, --namespace, --context, -o, --output, -l, --selector, --field-selector, --sort-by, --tail, --since, -c, --container, --timeout, --for, -L, --label-columns, --request-timeout, --chunk-size, --cluster, --user':
    'data',
  '--kubeconfig': { value: 'read', decision: 'ask', why: 'takes its settings, which may run programs, from a file' },
  '-s, --server, --token, --as, --as-group': {
    value: 'data',
    decision: 'ask',
    why: 'talks to another cluster, or as another',
  },
} as const;

export const containerRules: readonly ProgramRule[] = [
  {
    names: ['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose', 'finch'],
    special: 'docker',
    examples: {
      'docker ps -a': 'allow',
      'docker compose ps': 'allow',
      'docker compose up -d': 'allow',
      'docker compose down -v': 'ask',
      'docker build -t app .': 'allow',
      'docker build --push -t x .': 'ask',
      'docker build https://example.com/x.git': 'ask',
      'docker build - < Dockerfile': 'ask',
      'docker build -t x:dev .': 'allow',
      'docker run -v /:/x alpine ls': 'deny',
      'docker run --rm -v /:/mnt alpine rm -rf /mnt': 'deny',
      'docker run --mount type=bind,source=/,target=/x alpine': 'deny',
      'docker run -v /var/run/docker.sock:/s x': 'deny',
      'docker run --rm node:20 node -v': 'ask',
      'docker run --privileged x': 'ask',
      'docker exec db psql': 'ask',
      'docker exec web rm -rf /': 'deny',
      'docker push x': 'ask',
      'docker system prune -af': 'ask',
      'docker -H tcp://x ps': 'ask',
      'docker inspect x --format "{{.State}}"': 'allow',
    },
  },
  {
    names: ['kubectl', 'oc', 'k', 'kubecolor'],
    special: 'kubectl',
    otherOptions: 'harmless',
    network: true,
    options: { ...KUBE_OPTIONS, '-h, --help': { dry: true } },
    sub: {
      ...Object.fromEntries(
        Object.entries({
          ...looks(
            'get describe logs top version explain api-resources api-versions cluster-info diff events wait options completion whoami status projects',
          ),
          ...groups('config', 'view get-contexts current-context get-clusters get-users'),
          ...groups('auth', 'can-i whoami'),
          ...groups('rollout', 'status history'),
          ...groups('plugin', 'list'),
        }),
      ),
      kustomize: {
        otherOptions: 'harmless',
        operands: 'read',
        options: { '--enable-exec, --enable-alpha-plugins, --enable-helm': { decision: 'ask', why: 'runs plug-ins' } },
      },
    },
    examples: {
      'kubectl get pods -n x': 'allow',
      'kubectl --context prod get pods': 'allow',
      'kubectl delete pod x': 'ask',
      'kubectl -n get delete pods x': 'ask',
      'kubectl get secret x -o yaml': 'ask',
      'kubectl exec -it x -- rm -rf /': 'deny',
      'kubectl apply -f x.yaml': 'ask',
      'kubectl config view --raw': 'ask',
      'kubectl logs -f deploy/x': 'allow',
      'kubectl run x --image=alpine': 'ask',
    },
  },
  verbs(
    ['helm'],
    {
      ...looks('list ls status history search show lint template version env verify help completion'),
      ...groups('get', 'values notes manifest hooks metadata all'),
      ...groups('repo dependency dep plugin', 'list ls'),
    },
    { 'helm list -A': 'allow', 'helm upgrade x .': 'ask', 'helm template . --post-renderer ./x': 'ask' },
    {
      '--post-renderer': { value: 'data', decision: 'ask', why: 'runs a program' },
      '-n, --namespace, --kube-context, -f, --values, --set, -o, --output, --version': 'data',
    },
  ),
  verbs(
    [
      'minikube',
      'kind',
      'k3d',
      'crictl',
      'vagrant',
      'multipass',
      'lxc',
      'incus',
      'limactl',
      'colima',
      'ctr',
      'virsh',
      'machinectl',
      'buildah',
      'skopeo',
      'argocd',
      'istioctl',
      'flux',
      'eksctl',
      'VBoxManage',
      'stern',
      'orb',
    ],
    {
      ...looks(
        'status ip version ps images list ls info inspect logs profile stats pods get validate global-status ssh-config port box-list list-images list-tags nodes check analyze find dominfo domstate',
      ),
      ...groups(
        'cluster node app proj images image containers container tasks',
        'list ls get status diff history logs',
      ),
    },
    {
      'minikube status': 'allow',
      'kind get clusters': 'allow',
      'vagrant destroy -f': 'ask',
      'vagrant ssh -c "rm -rf /"': 'ask',
      'skopeo inspect docker://alpine': 'allow',
    },
  ),
  verbs(
    ['kustomize'],
    {
      ...looks('version'),
      build: {
        otherOptions: 'harmless',
        operands: 'read',
        options: {
          '--enable-exec, --enable-alpha-plugins, --enable-helm': { decision: 'ask', why: 'runs plug-ins' },
          '-o, --output': 'write',
        },
      },
    },
    { 'kustomize build k8s/': 'allow', 'kustomize build --enable-exec x': 'ask' },
  ),
  asks(
    'changes containers, clusters or virtual machines',
    'k9s kubectx kubens runc crun qemu-system-x86_64 qemu-img kubeadm k3s skaffold tilt devspace telepresence garden okteto distrobox toolbox devcontainer',
    { 'kubeadm reset -f': 'ask' },
  ),
];
