"""torch.optim"""

from minigrad.optim import lr_scheduler
from minigrad.optim.optimizers import SGD, Adadelta, Adagrad, Adam, AdamW, Optimizer, RMSprop
