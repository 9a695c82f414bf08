// Programs that look at or change the machine: processes, services, disks, accounts, protections, and those that run others.
import { ASK, asks, LOOKS, looks, verbs } from './forms.ts';
import type { ProgramRule } from './types.ts';

export const systemRules: readonly ProgramRule[] = [
  {
    names:
      'ps top htop btop uptime free vmstat iostat mpstat sar lscpu lsblk blkid lspci lsusb lsmod modinfo lshw uname arch nproc id whoami groups who w last lastlog users logname printenv hostid sw_vers system_profiler vm_stat pgrep pidof pstree pmap pwdx lslocks lsns findmnt mountpoint getenforce sestatus aa-status lsipc sensors atq systemd-analyze systemd-detect-virt logger iptables-save nvidia-smi'.split(
        ' ',
      ),
    ...LOOKS,
    examples: { 'ps aux': 'allow', 'id -u': 'allow', 'lsblk -f': 'allow', 'uname -a': 'allow' },
  },
  {
    names: ['kill'],
    special: 'kill',
    examples: {
      'kill -9 -1': 'deny',
      'kill -9 1': 'deny',
      'kill -0 123': 'allow',
      'kill 123': 'ask',
      'kill $!': 'allow',
      'kill %1': 'allow',
      'kill -s KILL -- -1': 'deny',
      'kill -l': 'allow',
    },
  },
  {
    names: ['killall5'],
    decision: 'deny',
    why: 'ends every process',
    ...LOOKS,
    examples: { 'killall5 -9': 'deny' },
  },
  asks(
    'changes the machine or what others run on it',
    'pkill killall skill snice renice umount swapoff swapon rmmod modprobe insmod depmod reboot shutdown halt poweroff init telinit kexec groupadd groupdel groupmod chsh chfn faillock update-grub grub-install efibootmgr fsck e2fsck tune2fs resize2fs xfs_repair debugfs wall write mesg atrm setcap hdiutil tmutil installer iptables-restore ip6tables-restore nft-restore rfkill loadkeys capsh setpriv bwrap firejail proot start-stop-daemon daemonize gdbus dbus-send debconf-set-selections dpkg-reconfigure systemd-nspawn aa-exec growpart lvcreate vgcreate pvcreate lvextend lvresize partprobe kpartx udevadm osqueryi softwareupdate authconfig pam-auth-update update-rc.d chkconfig rc-update sv initctl supervisorctl pm2 forever nvram bless mdutil kextload kextunload inotifywait',
    { 'pkill -f node': 'ask', 'umount /mnt': 'ask', reboot: 'ask' },
  ),
  {
    names:
      'useradd usermod userdel adduser deluser passwd chpasswd newusers gpasswd vipw vigr visudo chage sysadminctl'.split(
        ' ',
      ),
    special: 'guarded',
    otherOptions: 'harmless',
    examples: {
      'passwd root': 'deny',
      'usermod -aG sudo x': 'deny',
      'visudo -c': 'allow',
      'passwd -S': 'allow',
      'useradd -o -u 0 x': 'deny',
    },
  },
  {
    names:
      'iptables ip6tables nft ufw firewall-cmd pfctl setenforce aa-disable aa-complain aa-teardown apparmor_parser auditctl csrutil spctl'.split(
        ' ',
      ),
    special: 'guarded',
    examples: {
      'iptables -L -n': 'allow',
      'iptables -F': 'deny',
      'iptables -A INPUT -j DROP': 'ask',
      'iptables -P INPUT ACCEPT': 'deny',
      'ufw status': 'allow',
      'ufw disable': 'deny',
      'setenforce 0': 'deny',
      'csrutil disable': 'deny',
      'spctl --master-disable': 'deny',
      'nft flush ruleset': 'deny',
      'nft list ruleset': 'allow',
    },
  },
  {
    names: ['systemctl', 'service', 'launchctl', 'rc-service'],
    special: 'services',
    examples: {
      'systemctl status nginx': 'allow',
      'systemctl restart nginx': 'ask',
      'systemctl disable --now ufw': 'deny',
      'systemctl list-units --type=service': 'allow',
      'service nginx status': 'allow',
      'service auditd stop': 'deny',
      'launchctl list': 'allow',
      'systemctl $x': 'ask',
    },
  },
  {
    names:
      'mkfs mke2fs mkswap mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkdosfs mkntfs newfs fdisk sfdisk cfdisk parted gdisk sgdisk wipefs blkdiscard badblocks hdparm nvme smartctl cryptsetup lvremove vgremove pvremove lvs vgs pvs zpool zfs btrfs mdadm diskutil losetup dmsetup'.split(
        ' ',
      ),
    special: 'disks',
    examples: {
      'mkfs.ext4 /dev/sda1': 'deny',
      'fdisk -l': 'allow',
      'parted -s /dev/sda mklabel gpt': 'deny',
      'wipefs -a /dev/sdb': 'deny',
      'zpool status': 'allow',
      'zpool destroy tank': 'deny',
      'diskutil eraseDisk JHFS+ x /dev/disk0': 'deny',
      'diskutil list': 'allow',
      'mkfs.ext4 "$D"': 'ask',
      'mkfs.ext4 disk.img': 'ask',
    },
  },
  {
    names:
      'journalctl dmesg date mount sysctl crontab hwclock timedatectl hostnamectl localectl loginctl ifconfig route ip defaults networksetup scutil pmset dscl update-alternatives alternatives gsettings dconf nmcli ethtool coredumpctl'.split(
        ' ',
      ),
    special: 'settings',
    examples: {
      'journalctl -u x -n 50': 'allow',
      'journalctl --vacuum-time=1s': 'ask',
      'dmesg | tail': 'allow',
      'dmesg -C': 'ask',
      'date +%s': 'allow',
      'date -s 2020-01-01': 'ask',
      mount: 'allow',
      'mount /dev/sda1 /mnt': 'ask',
      'sysctl -a': 'allow',
      'sysctl -w kernel.randomize_va_space=0': 'deny',
      'crontab -l': 'allow',
      'crontab -r': 'ask',
      'echo "* * * * * rm -rf /" | crontab -': 'deny',
      'ip addr show': 'allow',
      'ip netns exec x rm -rf /': 'deny',
      'ip link set eth0 down': 'ask',
      'defaults read x': 'allow',
      'defaults write x y 1': 'ask',
    },
  },
  {
    names: ['su', 'runuser', 'gosu', 'su-exec', 'sg', 'newgrp'],
    special: 'su',
    examples: { "su -c 'rm -rf /'": 'deny', 'su - root -c ls': 'ask', 'runuser -u x -- rm -rf /': 'deny', su: 'ask' },
  },
  {
    names: [
      'chroot',
      'unshare',
      'nsenter',
      'systemd-run',
      'torsocks',
      'torify',
      'proxychains',
      'proxychains4',
      'fakechroot',
    ],
    special: 'inside',
    examples: { 'chroot /mnt rm -rf /': 'deny', 'unshare -r ls': 'ask', 'nsenter -t 1 -m -- rm -rf /': 'deny' },
  },
  {
    names:
      'taskset numactl dbus-run-session xvfb-run dumb-init tini fakeroot faketime eatmydata rlwrap chronic caffeinate setarch busybox toybox linux64 linux32 catchsegv prlimit cpulimit direnv doppler dotenv systemd-inhibit'.split(
        ' ',
      ),
    special: 'around',
    examples: {
      'taskset -c 0 rm -rf /': 'deny',
      'xvfb-run npm test': 'allow',
      'busybox rm -rf /': 'deny',
      'busybox ls': 'allow',
      'fakeroot -- rm -rf /': 'deny',
    },
  },
  {
    names: ['watch', 'viddy', 'hwatch'],
    special: 'joined',
    optionsFirst: true,
    options: {
      '-n, --interval, -q, --equexit': 'data',
      '-d, -t, -b, -e, -g, -c, -C, -p, -w, -x, --differences, --no-title, --beep, --errexit, --chgexit, --color, --exec, --precise':
        'flag',
    },
    examples: { 'watch -n 1 rm -rf /': 'deny', "watch 'git status'": 'allow', 'watch -n2 kubectl get pods': 'allow' },
  },
  {
    names: ['parallel', 'sem', 'rush'],
    special: 'parallel',
    examples: {
      'parallel rm -rf ::: /': 'deny',
      'parallel gzip ::: *.log': 'allow',
      "parallel 'rm -rf {}' ::: /": 'deny',
      'ls | parallel rm': 'ask',
      "echo 'rm -rf /' | parallel": 'deny',
      'parallel -j 4 wc -l {} ::: a b': 'allow',
    },
  },
  {
    names: ['flock', 'script'],
    special: 'locked',
    examples: {
      "flock /tmp/l -c 'rm -rf /'": 'deny',
      'flock /tmp/l rm -rf /': 'deny',
      'flock -n .lock npm test': 'allow',
      "script -qc 'rm -rf /' /dev/null": 'deny',
      "script -c 'ls' log.txt": 'allow',
    },
  },
  {
    names: ['screen', 'tmux', 'byobu', 'zellij', 'dtach', 'abduco'],
    special: 'sessions',
    examples: {
      "tmux new -d 'rm -rf /'": 'deny',
      'tmux ls': 'allow',
      'screen -dm rm -rf /': 'deny',
      "tmux send-keys -t 0 'rm -rf /' Enter": 'deny',
      'tmux capture-pane -p': 'allow',
      'screen -ls': 'allow',
    },
  },
  {
    names: ['at', 'batch'],
    special: 'later',
    examples: { "echo 'rm -rf /' | at now": 'deny', "echo 'ls' | at now + 1 min": 'ask', 'at -l': 'allow' },
  },
  verbs(['busctl'], looks('list status tree introspect'), { 'busctl list': 'allow' }),
  {
    names: ['tccutil', 'security'],
    ...ASK('reads or changes what protects the account'),
    examples: { 'security dump-keychain': 'ask' },
  },
];
