from torchrl.collectors.collect import Collector
